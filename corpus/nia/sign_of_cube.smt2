; A cube has the sign of its base.
(set-logic QF_NIA)
(declare-const x Int)
(assert (and (< x 0) (>= (* x x x) 0)))
(set-info :status unsat)
(check-sat)
