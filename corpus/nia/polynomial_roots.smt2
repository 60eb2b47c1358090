; Integer root of a cubic at a negative place, others excluded.
(set-logic QF_NIA)
(declare-const x Int)
(assert (= (+ (* x x x) (* 2 x x) (* (- 5) x) (- 6)) 0))
(assert (distinct x (- 1) 2))
(set-info :status sat)
(check-sat)
