; arcsin and arccos stay in their ranges.
(set-logic ALL)
(declare-const x Real)
(assert (and (<= (- 1.0) x) (<= x 1.0)))
(assert (or (> (arcsin x) 2.0) (< (arccos x) (- 0.5))))
(set-info :status unsat)
(check-sat)
