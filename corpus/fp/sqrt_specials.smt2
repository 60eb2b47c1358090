; Roots of negatives are NaN, except minus zero which is itself.
(set-logic QF_FP)
(declare-const x Float32)
(declare-const m RoundingMode)
(assert (fp.isNegative x))
(assert (not (= (fp.sqrt m x) (ite (fp.isZero x) x (_ NaN 8 24)))))
(set-info :status unsat)
(check-sat)
