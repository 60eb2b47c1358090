; Subset and difference.
(set-logic ALL)
(declare-const a (Set Int))
(declare-const b (Set Int))
(declare-const x Int)
(assert (set.subset a b))
(assert (set.member x (set.minus a b)))
(set-info :status unsat)
(check-sat)
