; The remainder by a nonzero divisor lies in [0, |d|).
(set-logic QF_NIA)
(declare-const x Int)
(declare-const d Int)
(assert (distinct d 0))
(assert (not (and (<= 0 (mod x d)) (< (mod x d) (abs d)))))
(set-info :status unsat)
(check-sat)
