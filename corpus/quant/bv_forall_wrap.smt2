; Incrementing always grows? Not at the top.
(set-logic BV)
(assert (forall ((x (_ BitVec 8))) (bvugt (bvadd x #x01) x)))
(set-info :status unsat)
(check-sat)
