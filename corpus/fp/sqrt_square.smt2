; A root that does not square back.
(set-logic QF_FP)
(declare-const x (_ FloatingPoint 4 5))
(assert (fp.isNormal x))
(assert (fp.lt (fp.mul RNE (fp.sqrt RNE x) (fp.sqrt RNE x)) x))
(set-info :status sat)
(check-sat)
