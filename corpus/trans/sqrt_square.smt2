; The square root is nonnegative and squares back.
(set-logic ALL)
(declare-const x Real)
(assert (> x 2.0))
(assert (or (< (sqrt x) 1.0) (> (* (sqrt x) (sqrt x)) x)))
(set-info :status unsat)
(check-sat)
