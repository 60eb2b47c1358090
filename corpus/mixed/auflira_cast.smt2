; Integer-indexed reals with casts of the index.
(set-logic AUFLIRA)
(declare-const a (Array Int Real))
(declare-const n Int)
(assert (forall ((i Int)) (= (select a i) (* 0.5 (to_real i)))))
(assert (= (select a n) 1.25))
(set-info :status unsat)
(check-sat)
