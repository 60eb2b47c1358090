; Rounding to an integer twice changes nothing, in any mode.
(set-logic QF_FP)
(declare-const x Float32)
(declare-const m RoundingMode)
(declare-const n RoundingMode)
(assert (distinct (fp.roundToIntegral n (fp.roundToIntegral m x)) (fp.roundToIntegral m x)))
(set-info :status unsat)
(check-sat)
