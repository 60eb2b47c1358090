; Three is not a square modulo seven.
(set-logic QF_FF)
(define-sort F () (_ FiniteField 7))
(declare-const x F)
(assert (= (ff.mul x x) (as ff3 F)))
(set-info :status unsat)
(check-sat)
