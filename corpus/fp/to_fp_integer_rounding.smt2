; A 16-bit integer that half precision cannot hold.
(set-logic QF_BVFP)
(declare-const b (_ BitVec 16))
(assert (bvsgt b #x0000))
(assert (distinct ((_ fp.to_ubv 16) RTZ ((_ to_fp_unsigned 5 11) RNE b)) b))
(assert (bvult b #x0900))
(set-info :status sat)
(check-sat)
