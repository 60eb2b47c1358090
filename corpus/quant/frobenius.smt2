; Every integer from 8 on is a sum of threes and fives.
(set-logic LIA)
(declare-const n Int)
(assert (= n 7))
(assert (forall ((x Int) (y Int)) (=> (and (>= x 0) (>= y 0)) (distinct n (+ (* 3 x) (* 5 y))))))
(set-info :status sat)
(check-sat)
