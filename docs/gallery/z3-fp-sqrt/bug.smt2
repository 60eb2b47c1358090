(set-logic QF_FP)
(declare-fun r () RoundingMode)
(assert (fp.lt (fp.sqrt r (fp #b0 #b00 #b00001)) (fp #b0 #b00 #b10000)))
(check-sat)
