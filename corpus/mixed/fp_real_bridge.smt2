; A float near a rational, compared in the reals.
(set-logic ALL)
(declare-const x Float32)
(declare-const r Real)
(assert (= x ((_ to_fp 8 24) RNE (/ 1 10))))
(assert (= r (- (fp.to_real x) (/ 1.0 10.0))))
(assert (and (> r 0.0) (< r 0.00000001)))
(set-info :status sat)
(check-sat)
