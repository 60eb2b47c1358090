; Rational and decimal constants rounded into several formats.
(set-logic QF_FPLRA)
(declare-const x Float32)
(declare-const y Float64)
(assert (fp.lt ((_ to_fp 8 24) RTN 0.1) x ((_ to_fp 8 24) RTP (/ 1 3))))
(assert (= y ((_ to_fp 11 53) RNA (/ 1.0 10.0))))
(assert (not (= ((_ to_fp 11 53) RNE ((_ to_fp 8 24) RNE y)) y)))
(set-info :status sat)
(check-sat)
