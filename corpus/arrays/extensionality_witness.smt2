; Two different arrays that agree on three indices.
(set-logic QF_ALIA)
(declare-const a (Array Int Int))
(declare-const b (Array Int Int))
(assert (distinct a b))
(assert (and (= (select a 0) (select b 0)) (= (select a 1) (select b 1)) (= (select a (- 1)) (select b (- 1)))))
(assert (= (store a 7 0) (store b 7 0)))
(set-info :status sat)
(check-sat)
