; Multiplicities in a bag.
(set-logic ALL)
(declare-const b (Bag Int))
(declare-const x Int)
(assert (= (bag.count x b) 3))
(assert (= (bag.count 0 b) 1))
(assert (not (= x 0)))
(set-info :status sat)
(check-sat)
