; Bool has only two elements, so distinct is pairwise false on three.
(set-logic QF_UF)
(declare-const a Bool)
(declare-const b Bool)
(declare-fun f (Bool) Bool)
(assert (distinct (f a) (f b) (f (not (f a)))))
(set-info :status unsat)
(check-sat)
