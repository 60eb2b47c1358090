; A point in an interval of width 10^-40.
(set-logic QF_LRA)
(declare-const x Real)
(assert (< 1.0 x 1.0000000000000000000000000000000000000001))
(assert (not (= x 1.00000000000000000000000000000000000000005)))
(set-info :status sat)
(check-sat)
