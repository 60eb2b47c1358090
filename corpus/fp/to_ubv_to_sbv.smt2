; Conversions to integers in both signs, inside their ranges.
(set-logic QF_BVFP)
(declare-const x Float16)
(assert (fp.lt (fp #b1 #b10100 #b0000000000) x (fp #b1 #b01111 #b0000000000)))
(assert (= ((_ fp.to_sbv 8) RTP x) #xf4))
(assert (= ((_ fp.to_sbv 8) RNE x) #xf3))
(assert (= ((_ fp.to_ubv 6) RNA (fp.neg x)) #b001101))
(set-info :status sat)
(check-sat)
