; Some real sends every real to zero.
(set-logic NRA)
(assert (exists ((x Real)) (forall ((y Real)) (= (* x y) 0.0))))
(assert (forall ((z Real)) (>= (* z z z z) 0.0)))
(set-info :status sat)
(check-sat)
