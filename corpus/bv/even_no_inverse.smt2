; An even number has none.
(set-logic QF_BV)
(declare-const i (_ BitVec 16))
(declare-const e (_ BitVec 16))
(assert (= (bvmul i (bvshl e #x0001)) #x0001))
(set-info :status unsat)
(check-sat)
