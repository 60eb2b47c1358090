; fma rounds once: it differs from multiply then add.
(set-logic QF_FP)
(declare-const a (_ FloatingPoint 3 4))
(declare-const b (_ FloatingPoint 3 4))
(declare-const c (_ FloatingPoint 3 4))
(assert (fp.isNormal (fp.fma RNE a b c)))
(assert (fp.lt (fp.fma RNE a b c) (fp.add RNE (fp.mul RNE a b) c)))
(set-info :status sat)
(check-sat)
