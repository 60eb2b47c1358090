; Bitwise operators and De Morgan over four-bit vectors.
(set-logic QF_BV)
(declare-const a (_ BitVec 4))
(declare-const b (_ BitVec 4))
(declare-const c (_ BitVec 4))
(assert (not (and
  (= (bvnand a b) (bvor (bvnot a) (bvnot b)))
  (= (bvnor a b) (bvand (bvnot a) (bvnot b)))
  (= (bvxnor a b) (bvnot (bvxor a b)))
  (= (bvand a (bvor b c)) (bvor (bvand a b) (bvand a c)))
  (= (bvxor a b c) (bvxor c (bvxor b a))))))
(set-info :status unsat)
(check-sat)
