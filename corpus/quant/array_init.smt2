; An array zero on a range.
(set-logic ALL)
(declare-const a (Array Int Int))
(declare-const k Int)
(assert (forall ((i Int)) (=> (<= 0 i 2) (= (select a i) 0))))
(assert (= (select a k) k))
(assert (> k 1))
(set-info :status sat)
(check-sat)
