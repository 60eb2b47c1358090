; Subtraction is addition of the negation.
(set-logic QF_FP)
(declare-const x Float32)
(declare-const y Float32)
(declare-const m RoundingMode)
(assert (distinct (fp.sub m x y) (fp.add m x (fp.neg y))))
(set-info :status unsat)
(check-sat)
