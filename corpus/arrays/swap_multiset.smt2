; Bubble one pair: the result is ordered and the array really changed.
(set-logic QF_ALIA)
(declare-const a (Array Int Int))
(declare-const b (Array Int Int))
(assert (= b (ite (> (select a 0) (select a 1)) (store (store a 0 (select a 1)) 1 (select a 0)) a)))
(assert (< (select b 0) (select b 1)))
(assert (distinct a b))
(set-info :status sat)
(check-sat)
