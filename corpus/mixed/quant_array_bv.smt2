; Quantified index over a bit-vector array.
(set-logic ALL)
(declare-const a (Array (_ BitVec 3) (_ BitVec 3)))
(assert (forall ((i (_ BitVec 3))) (= (select a i) (bvadd i #b001))))
(assert (= (select a (select a #b110)) #b001))
(set-info :status unsat)
(check-sat)
