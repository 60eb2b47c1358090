; Where a line crosses the unit circle in the third quadrant.
(set-logic QF_NRA)
(declare-const x Real)
(declare-const y Real)
(assert (= (+ (* x x) (* y y)) 1.0))
(assert (= (* 4.0 x) (* 3.0 y)))
(assert (< x 0.0))
(set-info :status sat)
(check-sat)
