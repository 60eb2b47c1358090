; NaN is neither negative nor positive, everything else is exactly one of them.
(set-logic QF_FP)
(declare-const x Float32)
(assert (= (xor (fp.isNegative x) (fp.isPositive x)) (fp.isNaN x)))
(set-info :status unsat)
(check-sat)
