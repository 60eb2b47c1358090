; All eight comparisons and bvcomp at once.
(set-logic QF_BV)
(declare-const a (_ BitVec 6))
(declare-const b (_ BitVec 6))
(assert (and (bvult a b) (bvule a b) (bvugt b a) (bvuge b a)))
(assert (and (bvslt b a) (bvsle b a) (bvsgt a b) (bvsge a b)))
(assert (= (bvcomp a (bvadd b #b000111)) #b1))
(set-info :status sat)
(check-sat)
