; The left-associated reading of => is a different function.
(set-logic QF_UF)
(declare-const a Bool)
(declare-const b Bool)
(declare-const c Bool)
(assert (not (= (=> a b c) (=> (=> a b) c))))
(set-info :status sat)
(check-sat)
