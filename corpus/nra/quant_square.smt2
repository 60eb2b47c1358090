; Claim: some real has a negative square.
(set-logic NRA)
(assert (exists ((x Real)) (< (* x x) 0.0)))
(set-info :status unsat)
(check-sat)
