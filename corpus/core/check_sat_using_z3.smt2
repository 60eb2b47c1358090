; z3's command that names a tactic.
(set-logic ALL)
(declare-const p Bool)
(declare-const q Bool)
(assert (xor p q))
(assert (or (not p) (and q p) (not (and q (not p)))))
(set-info :status sat)
(check-sat-using (then simplify smt))
