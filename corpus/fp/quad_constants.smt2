; Quadruple precision near one and at the edges.
(set-logic QF_FP)
(declare-const x Float128)
(assert (fp.lt ((_ to_fp 15 113) RNE 1.0) x))
(assert (fp.leq x ((_ to_fp 15 113) RTP 1.00000000000000000000000000000000001)))
(assert (not (= x (_ +oo 15 113))))
(set-info :status sat)
(check-sat)
