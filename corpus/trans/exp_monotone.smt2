; The exponential of a positive number is above one.
(set-logic ALL)
(declare-const x Real)
(assert (> x 0.5))
(assert (< (exp x) 1.0))
(set-info :status unsat)
(check-sat)
