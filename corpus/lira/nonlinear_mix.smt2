; An integer square below a real product.
(set-logic QF_NIRA)
(declare-const x Real)
(declare-const n Int)
(assert (and (= x (- 1.5)) (> (* x x) 2.0)))
(assert (= (to_real (* n n)) (+ (* 4.0 x x) 16.0)))
(assert (and (< n 0) (is_int (* 2.0 x))))
(set-info :status sat)
(check-sat)
