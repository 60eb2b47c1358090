; An ite with a bound condition under the quantifier.
(set-logic LRA)
(declare-const e Real)
(assert (forall ((x Real)) (< (ite (> x e) (- x e) (- e x)) 5.0)))
(set-info :status unsat)
(check-sat)
