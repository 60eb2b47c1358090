; No point of the unit disc has both coordinates above 0.75.
(set-logic QF_NRA)
(declare-const x Real)
(declare-const y Real)
(assert (<= (+ (* x x) (* y y)) 1.0))
(assert (and (> x 0.75) (> y 0.75)))
(set-info :status unsat)
(check-sat)
