; Widening and narrowing back is the identity.
(set-logic QF_FP)
(declare-const x Float32)
(declare-const m RoundingMode)
(assert (not (= ((_ to_fp 8 24) m ((_ to_fp 11 53) RNE x)) x)))
(set-info :status unsat)
(check-sat)
