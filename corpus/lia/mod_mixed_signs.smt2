; Remainders of the same number by divisors of both signs.
(set-logic QF_LIA)
(declare-const x Int)
(assert (< x 0))
(assert (and (= (mod x 5) 2) (= (mod x (- 4)) 2) (= (div x (- 4)) 5)))
(set-info :status sat)
(check-sat)
