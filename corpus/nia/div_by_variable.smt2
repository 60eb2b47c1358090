; Division by a positive variable shrinks.
(set-logic QF_NIA)
(declare-const x Int)
(declare-const d Int)
(assert (> d 1))
(assert (> x 0))
(assert (>= (div x d) x))
(set-info :status unsat)
(check-sat)
