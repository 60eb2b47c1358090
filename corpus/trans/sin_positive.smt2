; The sine is positive on a piece of the first half period.
(set-logic ALL)
(declare-const x Real)
(assert (= x 1.0))
(assert (< (sin x) 0.0))
(set-info :status unsat)
(check-sat)
