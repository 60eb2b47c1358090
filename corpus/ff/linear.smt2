; A linear system over the field of seven elements.
(set-logic QF_FF)
(define-sort F () (_ FiniteField 7))
(declare-const x F)
(declare-const y F)
(assert (= (ff.add (ff.mul (as ff3 F) x) y) (as ff5 F)))
(assert (= (ff.add x (ff.neg y)) (as ff-1 F)))
(set-info :status sat)
(check-sat)
