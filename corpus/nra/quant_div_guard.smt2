; Quantified quotient with its guard; the instance 1/2 breaks the claim.
(set-logic NRA)
(assert (forall ((h Real)) (=> (and (< 0.0 h) (< h 1.0)) (<= (/ 1.0 h) 1.0))))
(set-info :status unsat)
(check-sat)
