; Every double of magnitude 2^52 or more is an integer already.
(set-logic QF_FP)
(declare-const x Float64)
(assert (fp.geq (fp.abs x) (fp #b0 #b10000110011 #x0000000000000)))
(assert (distinct (fp.roundToIntegral RNA x) x))
(set-info :status unsat)
(check-sat)
