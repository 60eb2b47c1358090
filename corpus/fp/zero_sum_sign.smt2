; x + (-x) is +0 unless rounding toward negative.
(set-logic QF_FP)
(declare-const x Float32)
(declare-const m RoundingMode)
(assert (not (or (fp.isNaN x) (fp.isInfinite x))))
(assert (distinct (fp.add m x (fp.neg x)) (ite (and (= m RTN) (not (fp.isZero x))) (_ -zero 8 24)
  (ite (= m RTN) (_ -zero 8 24) (_ +zero 8 24)))))
(set-info :status unsat)
(check-sat)
