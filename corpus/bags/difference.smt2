; Subtracting multiplicities floors at zero.
(set-logic ALL)
(declare-const a (Bag Int))
(declare-const x Int)
(assert (= a (bag x 2)))
(assert (distinct (bag.difference_subtract a (bag x 5)) (as bag.empty (Bag Int))))
(set-info :status unsat)
(check-sat)
