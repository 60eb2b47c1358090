; Real values of two floats.
(set-logic QF_FPLRA)
(declare-const x (_ FloatingPoint 3 4))
(declare-const y (_ FloatingPoint 3 4))
(assert (not (or (fp.isNaN x) (fp.isInfinite x) (fp.isNaN y) (fp.isInfinite y))))
(assert (= (+ (fp.to_real x) (fp.to_real y)) 0.75))
(assert (> (fp.to_real x) (* 2.0 (fp.to_real y)) 0.0))
(set-info :status sat)
(check-sat)
