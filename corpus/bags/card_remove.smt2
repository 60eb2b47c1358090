; Cardinality and complete removal.
(set-logic ALL)
(declare-const a (Bag Int))
(assert (= (bag.card a) 3))
(assert (= (bag.count 1 a) 2))
(assert (= (bag.count 1 (bag.difference_remove a (bag 1 1))) 0))
(set-info :status sat)
(check-sat)
