; No single mask absorbs every word into a strictly smaller one.
(set-logic BV)
(assert (exists ((m (_ BitVec 4))) (forall ((x (_ BitVec 4))) (bvult (bvand x m) x))))
(set-info :status unsat)
(check-sat)
