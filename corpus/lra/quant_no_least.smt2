; There is no least positive real.
(set-logic LRA)
(declare-const e Real)
(assert (> e 0.0))
(assert (forall ((d Real)) (=> (> d 0.0) (<= e d))))
(set-info :status unsat)
(check-sat)
