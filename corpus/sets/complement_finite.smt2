; The complement over a finite universe.
(set-logic ALL)
(declare-const s (Set Bool))
(assert (set.member true s))
(assert (set.member true (set.complement s)))
(set-info :status unsat)
(check-sat)
