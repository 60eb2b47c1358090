; The sine never exceeds one.
(set-logic ALL)
(declare-const x Real)
(assert (> (sin x) 1.0))
(set-info :status unsat)
(check-sat)
