; A product constraint that a linear instance refutes.
(set-logic NRA)
(declare-const a Real)
(assert (> a 0.0))
(assert (forall ((x Real)) (=> (> x 0.0) (> (* a x) (+ a 1.0)))))
(set-info :status unsat)
(check-sat)
