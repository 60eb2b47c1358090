; Union, intersection and difference obey the distributive law.
(set-logic ALL)
(declare-const a (Set Int))
(declare-const b (Set Int))
(declare-const c (Set Int))
(assert (distinct (set.inter a (set.union b c)) (set.union (set.inter a b) (set.inter a c))))
(set-info :status unsat)
(check-sat)
