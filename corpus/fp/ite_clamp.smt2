; Clamping into [-1, 1] with comparisons that a NaN fails.
(set-logic QF_FP)
(declare-const x Float32)
(define-const one Float32 ((_ to_fp 8 24) RNE 1.0))
(define-fun clamp ((v Float32)) Float32 (ite (fp.lt v (fp.neg one)) (fp.neg one) (ite (fp.gt v one) one v)))
(assert (not (fp.isNaN x)))
(assert (fp.gt (fp.abs (clamp x)) one))
(set-info :status unsat)
(check-sat)
