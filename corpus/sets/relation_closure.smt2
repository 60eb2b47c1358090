; Transitive closure reaches over two steps; product and join.
(set-logic ALL)
(declare-const r (Relation Int Int))
(assert (and (set.member (tuple 1 2) r) (set.member (tuple 2 3) r)))
(assert (not (set.member (tuple 1 3) (rel.tclosure r))))
(set-info :status unsat)
(check-sat)
