; x & (x-1) = 0 with x odd leaves only one.
(set-logic QF_BV)
(declare-const x (_ BitVec 32))
(assert (= (bvand x (bvsub x #x00000001)) #x00000000))
(assert (= ((_ extract 0 0) x) #b1))
(assert (distinct x (_ bv1 32)))
(set-info :status unsat)
(check-sat)
