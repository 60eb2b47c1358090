; A half-way value that rounds four ways.
(set-logic QF_FP)
(declare-const x Float16)
(assert (fp.lt (fp.roundToIntegral RNE x) (fp.roundToIntegral RNA x)))
(assert (= (fp.roundToIntegral RTZ x) (fp.roundToIntegral RTN x)))
(assert (= (fp.roundToIntegral RTP x) (fp.roundToIntegral RNA x)))
(assert (fp.lt x (fp #b0 #b10010 #b1000000000)))
(set-info :status sat)
(check-sat)
