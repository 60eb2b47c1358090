; A bounded function without other demands.
(set-logic UFLIA)
(declare-fun f (Int) Int)
(assert (forall ((x Int)) (<= 0 (f x) 1)))
(assert (distinct (f 0) (f 1)))
(set-info :status sat)
(check-sat)
