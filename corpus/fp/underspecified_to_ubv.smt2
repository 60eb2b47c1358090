; Out of range: the result is unspecified, a solver may pick any value.
(set-logic QF_BVFP)
(declare-const x Float16)
(assert (or (fp.isNaN x) (fp.lt x (fp #b1 #b01111 #b0000000000))))
(assert (bvuge ((_ fp.to_ubv 8) RTZ x) #x00))
(set-info :status sat)
(check-sat)
