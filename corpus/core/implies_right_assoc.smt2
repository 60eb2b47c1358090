; => associates to the right: the left-associated reading would be satisfiable.
(set-logic QF_UF)
(declare-const a Bool)
(declare-const b Bool)
(declare-const c Bool)
(assert (not (= (=> a b c) (=> a (=> b c)))))
(set-info :status unsat)
(check-sat)
