; Quantified Booleans: every function of one Boolean has a fixed point or swaps.
(set-logic UF)
(declare-fun f (Bool) Bool)
(assert (forall ((b Bool)) (exists ((c Bool)) (= (f b) (xor b c)))))
(assert (exists ((b Bool)) (and (f b) (not (f (not b))))))
(set-info :status sat)
(check-sat)
