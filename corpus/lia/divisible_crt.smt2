; Chinese remainder with the indexed predicate.
(set-logic QF_LIA)
(declare-const n Int)
(assert ((_ divisible 7) (- n 3)))
(assert ((_ divisible 11) (- n 5)))
(assert ((_ divisible 13) (+ n 1)))
(assert (and (<= 0 n) (< n 1001)))
(set-info :status sat)
(check-sat)
