; 0.333...3 is not one third.
(set-logic QF_LRA)
(declare-const x Real)
(assert (= (* 3.0 x) 1.0))
(assert (= x 0.33333333333333333333333333333333))
(set-info :status unsat)
(check-sat)
