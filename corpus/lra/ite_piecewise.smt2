; A piecewise-linear tent map with a period-three orbit.
(set-logic QF_LRA)
(define-fun tent ((v Real)) Real (ite (< v 0.5) (* 2.0 v) (- 2.0 (* 2.0 v))))
(declare-const x Real)
(assert (and (< 0.0 x) (< x 0.5)))
(assert (= (tent (tent (tent x))) x))
(assert (distinct (tent x) x))
(set-info :status sat)
(check-sat)
