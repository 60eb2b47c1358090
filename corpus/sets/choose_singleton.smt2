; Choosing from a singleton gives its element.
(set-logic ALL)
(declare-const s (Set Int))
(assert (set.is_singleton s))
(assert (not (set.member (set.choose s) s)))
(set-info :status unsat)
(check-sat)
