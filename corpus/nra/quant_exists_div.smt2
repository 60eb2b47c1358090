; A bound variable in a quotient, and a free parameter.
(set-logic NRA)
(declare-const k Real)
(assert (exists ((x Real)) (and (> x 1.0) (= (/ k x) 2.0) (< (* k x) 10.0))))
(set-info :status sat)
(check-sat)
