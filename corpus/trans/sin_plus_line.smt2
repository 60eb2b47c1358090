; A line shifted by a sine at a known place.
(set-logic ALL)
(declare-const x Real)
(declare-const y Real)
(assert (= x (* 2.0 y (sin 0.0))))
(assert (= (+ (exp x) y) 3.5))
(set-info :status sat)
(check-sat)
