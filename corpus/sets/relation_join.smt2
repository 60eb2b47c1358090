; Relations: join and transpose on concrete tuples.
(set-logic ALL)
(declare-const r (Relation Int Int))
(assert (= r (set.union (set.singleton (tuple 1 2)) (set.singleton (tuple 2 3)))))
(assert (not (and (set.member (tuple 1 3) (rel.join r r)) (set.member (tuple 3 2) (rel.transpose r)))))
(set-info :status unsat)
(check-sat)
