; Shifting by the width or more gives zero or the sign.
(set-logic QF_BV)
(declare-const x (_ BitVec 5))
(declare-const s (_ BitVec 5))
(assert (bvuge s #b00101))
(assert (or (distinct (bvshl x s) #b00000) (distinct (bvlshr x s) #b00000)
  (distinct (bvashr x s) (ite (= ((_ extract 4 4) x) #b1) #b11111 #b00000))))
(set-info :status unsat)
(check-sat)
