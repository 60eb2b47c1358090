; Strict bounds meet in a single excluded point.
(set-logic QF_LRA)
(declare-const x Real)
(declare-const y Real)
(assert (and (<= (+ x y) 1.0) (>= (+ x y) 1.0)))
(assert (or (< x (- 1.0 y)) (> y (- 1.0 x))))
(set-info :status unsat)
(check-sat)
