; A mask for which shifting left and back loses nothing below it.
(set-logic BV)
(declare-const m (_ BitVec 8))
(assert (forall ((x (_ BitVec 8))) (=> (bvule x m) (= (bvlshr (bvshl x #x03) #x03) x))))
(assert (bvuge m #x10))
(set-info :status sat)
(check-sat)
