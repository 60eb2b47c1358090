; RTN <= RNE <= RTP for a sum.
(set-logic QF_FP)
(declare-const x Float32)
(declare-const y Float32)
(assert (not (fp.isNaN (fp.add RNE x y))))
(assert (not (fp.leq (fp.add RTN x y) (fp.add RNE x y) (fp.add RTP x y))))
(set-info :status unsat)
(check-sat)
