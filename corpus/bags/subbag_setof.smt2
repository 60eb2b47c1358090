; A bag that differs from its support.
(set-logic ALL)
(declare-const a (Bag String))
(assert (bag.subbag (bag "k" 2) a))
(assert (distinct a (bag.setof a)))
(assert (bag.member "" a))
(set-info :status sat)
(check-sat)
