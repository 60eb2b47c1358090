; A 200-bit vector with constants in all three notations.
(set-logic QF_BV)
(declare-const x (_ BitVec 200))
(assert (bvugt x (_ bv803469022129495137770981046170581301261101496891396417650688 200)))
(assert (= ((_ extract 15 0) x) #xfffe))
(assert (= ((_ extract 3 0) (bvashr x (_ bv196 200))) #b1111))
(set-info :status sat)
(check-sat)
