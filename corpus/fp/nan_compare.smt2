; All comparisons with NaN are false.
(set-logic QF_FP)
(declare-const x Float64)
(declare-const n Float64)
(assert (fp.isNaN n))
(assert (or (fp.lt x n) (fp.leq n x) (fp.gt n n) (fp.geq x n) (fp.eq n n) (fp.eq x n)))
(set-info :status unsat)
(check-sat)
