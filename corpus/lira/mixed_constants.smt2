; Tiny rationals against integers.
(set-logic QF_LIRA)
(declare-const x Real)
(declare-const n Int)
(assert (< 0.0 x (/ 1.0 1000000000000000000000000.0)))
(assert (= (+ (to_real n) x) (- (/ 7.0 3.0) (/ 1.0 3.0) (- x))))
(set-info :status sat)
(check-sat)
