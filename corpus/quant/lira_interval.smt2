; Reals and integers under one block.
(set-logic ALL)
(assert (exists ((x Real)) (and (< 0.0 x) (< x 1.0) (forall ((n Int)) (or (> (to_real n) x) (<= (to_real (+ n 1)) x))))))
(set-info :status unsat)
(check-sat)
