; Two-dimensional Cauchy-Schwarz at a fixed vector.
(set-logic QF_NRA)
(declare-const x Real)
(declare-const y Real)
(define-fun sq ((v Real)) Real (* v v))
(assert (> (sq (+ (* 3.0 x) (* 4.0 y))) (* 25.0 (+ (sq x) (sq y)))))
(set-info :status unsat)
(check-sat)
