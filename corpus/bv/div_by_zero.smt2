; Unsigned division by zero is all ones, remainder is the dividend.
(set-logic QF_BV)
(declare-const x (_ BitVec 7))
(declare-const z (_ BitVec 7))
(assert (= (bvand z (bvneg z)) (_ bv0 7)))
(assert (or (distinct (bvudiv x z) (bvnot (_ bv0 7))) (distinct (bvurem x z) x)))
(set-info :status unsat)
(check-sat)
