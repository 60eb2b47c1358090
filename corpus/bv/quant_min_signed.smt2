; The least signed value, found by a quantifier.
(set-logic BV)
(declare-const m (_ BitVec 8))
(assert (forall ((x (_ BitVec 8))) (bvsle m x)))
(set-info :status sat)
(check-sat)
