; Two functions that agree at one point but differ.
(set-logic HO_ALL)
(declare-fun f (Int) Int)
(declare-fun g (Int) Int)
(assert (distinct f g))
(assert (= (f 0) (g 0)))
(set-info :status sat)
(check-sat)
