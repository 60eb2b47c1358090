; The exponential is positive.
(set-logic ALL)
(declare-const x Real)
(assert (<= (exp x) 0.0))
(set-info :status unsat)
(check-sat)
