; Between any two reals lies a third.
(set-logic LRA)
(assert (forall ((x Real) (y Real)) (=> (< x y) (exists ((z Real)) (and (< x z) (< z y))))))
(set-info :status sat)
(check-sat)
