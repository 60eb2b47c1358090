; Diamond inside the square.
(set-logic QF_LRA)
(declare-const x Real)
(declare-const y Real)
(define-fun rabs ((v Real)) Real (ite (>= v 0.0) v (- v)))
(assert (<= (+ (rabs x) (rabs y)) 1.0))
(assert (or (> (rabs x) 1.0) (> (rabs y) 1.0)))
(set-info :status unsat)
(check-sat)
