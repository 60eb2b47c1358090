; With subnormals, x - y = 0 only when x = y.
(set-logic QF_FP)
(declare-const x Float32)
(declare-const y Float32)
(assert (and (not (fp.isInfinite x)) (not (fp.isInfinite y))))
(assert (fp.isZero (fp.sub RTZ x y)))
(assert (not (fp.eq x y)))
(set-info :status unsat)
(check-sat)
