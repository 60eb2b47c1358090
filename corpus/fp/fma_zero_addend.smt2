; fma with a negative zero addend is multiplication under RTZ, when the product is not a zero.
(set-logic QF_FP)
(declare-const a (_ FloatingPoint 3 3))
(declare-const b (_ FloatingPoint 3 3))
(assert (not (fp.isZero (fp.mul RTZ a b))))
(assert (distinct (fp.fma RTZ a b (_ -zero 3 3)) (fp.mul RTZ a b)))
(set-info :status unsat)
(check-sat)
