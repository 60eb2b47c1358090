; Every signed 6-bit integer survives the trip through single precision.
(set-logic QF_BVFP)
(declare-const b (_ BitVec 6))
(declare-const m RoundingMode)
(assert (distinct ((_ fp.to_sbv 6) RNE ((_ to_fp 8 24) m b)) b))
(set-info :status unsat)
(check-sat)
