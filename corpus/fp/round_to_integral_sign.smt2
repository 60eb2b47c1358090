; A small negative number rounds to minus zero.
(set-logic QF_FPLRA)
(declare-const x Float32)
(assert (and (fp.isNegative x) (fp.gt x ((_ to_fp 8 24) RNE (- 0.5)))))
(assert (not (= (fp.roundToIntegral RNE x) (_ -zero 8 24))))
(set-info :status unsat)
(check-sat)
