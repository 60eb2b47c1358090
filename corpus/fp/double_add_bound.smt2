; Adding a positive double never decreases.
(set-logic QF_FP)
(declare-const x Float64)
(declare-const y Float64)
(assert (fp.isPositive y))
(assert (fp.lt (fp.add RNE x y) x))
(set-info :status unsat)
(check-sat)
