; No finite value is above every number.
(set-logic FP)
(declare-const x Float32)
(assert (not (fp.isInfinite x)))
(assert (forall ((y Float32)) (or (fp.isNaN y) (fp.leq y x))))
(set-info :status unsat)
(check-sat)
