; There are exactly five rounding modes.
(set-logic QF_FP)
(declare-const m RoundingMode)
(assert (distinct m roundNearestTiesToEven roundNearestTiesToAway roundTowardPositive roundTowardNegative roundTowardZero))
(set-info :status unsat)
(check-sat)
