; The positive root of two is not below 1.4.
(set-logic QF_NRA)
(declare-const x Real)
(assert (= (* x x) 2.0))
(assert (and (> x 0.0) (< x 1.4)))
(set-info :status unsat)
(check-sat)
