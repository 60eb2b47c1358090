; Two sets of size two with a common element.
(set-logic ALL)
(declare-const a (Set Int))
(declare-const b (Set Int))
(assert (= (set.card a) (set.card b) 2))
(assert (= (set.card (set.union a b)) 3))
(assert (set.member 0 (set.inter a b)))
(set-info :status sat)
(check-sat)
