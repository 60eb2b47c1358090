; exp(0) = 1 makes the sum two.
(set-logic ALL)
(declare-const x Real)
(assert (= (+ (exp (- x x)) (sin 0.0) x) 2.0))
(set-info :status sat)
(check-sat)
