; Every square is above some negative bound.
(set-logic NRA)
(declare-const m Real)
(assert (forall ((x Real)) (>= (* x x) m)))
(assert (> m (- 4.0)))
(set-info :status sat)
(check-sat)
