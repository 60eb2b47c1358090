; A parabola has a lower bound.
(set-logic NRA)
(declare-const m Real)
(assert (forall ((x Real)) (>= (+ (* x x) (* (- 4.0) x) 1.0) m)))
(assert (> m (- 4.0)))
(set-info :status sat)
(check-sat)
