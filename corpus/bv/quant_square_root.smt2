; Squaring modulo 16 is not onto.
(set-logic BV)
(assert (forall ((y (_ BitVec 4))) (exists ((x (_ BitVec 4))) (= (bvmul x x) y))))
(set-info :status unsat)
(check-sat)
