; The same eight bits read signed and unsigned.
(set-logic QF_BVFP)
(declare-const b (_ BitVec 8))
(assert (= ((_ extract 7 7) b) #b1))
(assert (fp.leq ((_ to_fp_unsigned 8 24) RNE b) ((_ to_fp 8 24) RNE b)))
(set-info :status unsat)
(check-sat)
