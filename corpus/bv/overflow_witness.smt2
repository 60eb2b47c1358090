; Find operands that overflow signed but not unsigned multiplication, and the reverse.
(set-logic QF_BV)
(declare-const a (_ BitVec 8))
(declare-const b (_ BitVec 8))
(declare-const c (_ BitVec 8))
(assert (and (bvsmulo a b) (not (bvumulo a b)) (not (bvsaddo a b))))
(assert (and (bvumulo a c) (not (bvsmulo a c)) (bvuaddo a c) (bvssubo a #x80)))
(set-info :status sat)
(check-sat)
