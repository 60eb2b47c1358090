; A square does not dominate its base on the unit interval.
(set-logic NRA)
(assert (forall ((x Real)) (or (= x 0.0) (>= (* x x) x))))
(set-info :status unsat)
(check-sat)
