; The arcus tangent stays below half of pi.
(set-logic ALL)
(declare-const x Real)
(assert (> (arctan x) 2.0))
(set-info :status unsat)
(check-sat)
