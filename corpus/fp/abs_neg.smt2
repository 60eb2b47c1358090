; abs is never negative and neg is an involution.
(set-logic QF_FP)
(declare-const x Float128)
(assert (or (fp.isNegative (fp.abs x)) (distinct (fp.neg (fp.neg x)) x)
  (and (not (fp.isNaN x)) (distinct (fp.abs (fp.neg x)) (fp.abs x)))))
(set-info :status unsat)
(check-sat)
