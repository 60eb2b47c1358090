; A chain of fused operations in single precision with one rounding mode per step.
(set-logic QF_FP)
(declare-const x Float32)
(define-const half Float32 (fp #b0 #x7e #b00000000000000000000000))
(define-const three Float32 ((_ to_fp 8 24) RNE 3.0))
(assert (= (fp.fma RTP x half three) (fp.fma RTN (fp.fma RNA half half half) three (fp.neg x))))
(assert (fp.lt x (_ -zero 8 24)))
(set-info :status sat)
(check-sat)
