; An odd number has a multiplicative inverse.
(set-logic QF_BV)
(declare-const i (_ BitVec 16))
(assert (= (bvmul i #x00f3) #x0001))
(set-info :status sat)
(check-sat)
