; Width one: addition is xor, multiplication is and, every order is trivial.
(set-logic QF_BV)
(declare-const a (_ BitVec 1))
(declare-const b (_ BitVec 1))
(assert (or (distinct (bvadd a b) (bvxor a b)) (distinct (bvmul a b) (bvand a b))
  (distinct (bvneg a) a) (not (= (bvult a b) (bvsgt a b)))))
(set-info :status unsat)
(check-sat)
