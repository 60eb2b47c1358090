; A double-precision fma on constants with a cancelling addend.
(set-logic QF_FP)
(declare-const r Float64)
(define-const e Float64 (fp #b0 #b01111111111 #x0000000000001))
(assert (= r (fp.fma RNE e e (fp.neg (fp.mul RNE e e)))))
(assert (not (= r (fp #b0 #b01110010111 #x0000000000000))))
(set-info :status unsat)
(check-sat)
