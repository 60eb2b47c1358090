; floor(x) <= x < floor(x) + 1.
(set-logic QF_LIRA)
(declare-const x Real)
(assert (not (and (<= (to_real (to_int x)) x) (< x (+ (to_real (to_int x)) 1.0)))))
(set-info :status unsat)
(check-sat)
