; Two different numbers whose difference is subnormal but not zero.
(set-logic QF_FP)
(declare-const x Float16)
(declare-const y Float16)
(assert (and (fp.isNormal x) (fp.isNormal y)))
(assert (fp.isSubnormal (fp.sub RNE x y)))
(assert (fp.lt x y (fp #b0 #b00001 #b0000000100)))
(set-info :status sat)
(check-sat)
