; A quadratic with negative discriminant has no root.
(set-logic QF_NRA)
(declare-const x Real)
(declare-const b Real)
(assert (and (< (- 2.0) b) (< b 2.0)))
(assert (= (+ (* x x) (* b x) 1.0) 0.0))
(set-info :status unsat)
(check-sat)
