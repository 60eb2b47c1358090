; A three-place division chain.
(set-logic QF_NRA)
(declare-const x Real)
(declare-const y Real)
(assert (= (/ x y 2.0) (/ 3.0 4.0)))
(assert (and (> y 1.0) (< (* x y) 10.0)))
(set-info :status sat)
(check-sat)
