; Adding a constant is onto.
(set-logic BV)
(declare-const k (_ BitVec 5))
(assert (distinct k #b00000))
(assert (forall ((y (_ BitVec 5))) (exists ((x (_ BitVec 5))) (= (bvadd x k) y))))
(set-info :status sat)
(check-sat)
