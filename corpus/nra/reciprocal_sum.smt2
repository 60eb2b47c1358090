; x + 1/x >= 2 for positive x.
(set-logic QF_NRA)
(declare-const x Real)
(assert (> x 0.0))
(assert (< (+ x (/ 1.0 x)) 2.0))
(set-info :status unsat)
(check-sat)
