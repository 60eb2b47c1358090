; Every integer is even or odd.
(set-logic LIA)
(assert (forall ((a Int)) (exists ((b Int)) (or (= a (* 2 b)) (= a (+ 1 (* 2 b)))))))
(set-info :status sat)
(check-sat)
