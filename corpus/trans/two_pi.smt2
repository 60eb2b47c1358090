; A full turn lies between 6 and 6.5; the tangent vanishes at zero.
(set-logic ALL)
(declare-const x Real)
(assert (= x (+ (tan 0.0) (* 2.0 real.pi))))
(assert (or (< x 6.0) (> x 6.5)))
(set-info :status unsat)
(check-sat)
