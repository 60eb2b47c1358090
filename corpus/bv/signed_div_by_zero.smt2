; Signed division by zero is 1 or -1, depending on the sign.
(set-logic QF_BV)
(declare-const x (_ BitVec 8))
(assert (not (= (bvsdiv x #x00) (ite (bvslt x #x00) #x01 #xff))))
(set-info :status unsat)
(check-sat)
