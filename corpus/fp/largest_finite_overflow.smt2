; Rounding toward zero never overflows to infinity.
(set-logic QF_FP)
(declare-const x Float32)
(declare-const y Float32)
(assert (not (or (fp.isInfinite x) (fp.isInfinite y))))
(assert (fp.isInfinite (fp.add RTZ x y)))
(set-info :status unsat)
(check-sat)
