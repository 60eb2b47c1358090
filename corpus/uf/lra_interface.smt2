; A function of reals with a fixed point between two bounds.
(set-logic QF_UFLRA)
(declare-fun f (Real) Real)
(declare-const x Real)
(assert (and (= (f x) x) (< 0.25 x 0.5)))
(assert (> (f (- x 0.125)) (f (f x)) (f 0.125)))
(set-info :status sat)
(check-sat)
