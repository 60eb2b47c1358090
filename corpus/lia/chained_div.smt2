; Left-associative div over three arguments versus division by the product.
(set-logic QF_LIA)
(declare-const x Int)
(assert (> x 100))
(assert (= (div x 3 4) (div x 12) 9))
(assert (distinct (div x 3) (* 4 (div x 12))))
(set-info :status sat)
(check-sat)
