; A product of normal singles that rounds to minus zero.
(set-logic QF_FP)
(declare-const x Float32)
(declare-const y Float32)
(assert (and (fp.isNormal x) (fp.isNormal y) (fp.isPositive y)))
(assert (= (fp.mul RNE x y) (_ -zero 8 24)))
(set-info :status sat)
(check-sat)
