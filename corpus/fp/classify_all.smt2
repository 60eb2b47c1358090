; Every value is in exactly one of the five classes.
(set-logic QF_BVFP)
(declare-const x (_ FloatingPoint 3 5))
(define-fun one ((b Bool)) (_ BitVec 3) (ite b #b001 #b000))
(assert (distinct #b001 (bvadd (one (fp.isNormal x)) (one (fp.isSubnormal x)) (one (fp.isZero x))
  (one (fp.isInfinite x)) (one (fp.isNaN x)))))
(set-info :status unsat)
(check-sat)
