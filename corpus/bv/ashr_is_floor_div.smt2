; Arithmetic shift right by one never rounds toward zero on odd negatives.
(set-logic QF_BV)
(declare-const x (_ BitVec 8))
(assert (and (bvslt x #x00) (= ((_ extract 0 0) x) #b1)))
(assert (= (bvashr x #x01) (bvsdiv x #x02)))
(set-info :status unsat)
(check-sat)
