; A function with a three-cycle.
(set-logic QF_UF)
(declare-sort S 0)
(declare-fun f (S) S)
(declare-const x S)
(assert (= (f (f (f x))) x))
(assert (distinct x (f x) (f (f x))))
(set-info :status sat)
(check-sat)
