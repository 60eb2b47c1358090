; Wrap-around written with plain integers at the 32-bit edges.
(set-logic QF_LIA)
(declare-const x Int)
(define-fun wrap ((v Int)) Int (- (mod (+ v 2147483648) 4294967296) 2147483648))
(assert (<= (- 2147483648) x 2147483647))
(assert (> x 0))
(assert (= (wrap (+ x 2147483647)) x))
(set-info :status unsat)
(check-sat)
