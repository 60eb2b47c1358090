; Infinity times zero is NaN whatever is added.
(set-logic QF_FP)
(declare-const c Float32)
(declare-const m RoundingMode)
(declare-const z Float32)
(assert (fp.isZero z))
(assert (not (fp.isNaN (fp.fma m (_ -oo 8 24) z c))))
(set-info :status unsat)
(check-sat)
