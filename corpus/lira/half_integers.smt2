; Two half-integers whose sum is an integer.
(set-logic QF_LIRA)
(declare-const x Real)
(declare-const y Real)
(assert (and (not (is_int x)) (not (is_int y)) (is_int (+ x y)) (is_int (* 2.0 x))))
(assert (= (to_int (- x y)) (to_int (- y x)) 0))
(set-info :status sat)
(check-sat)
