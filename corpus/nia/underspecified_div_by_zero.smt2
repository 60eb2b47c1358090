; Truth rests on the value chosen for division and remainder by zero.
(set-logic QF_NIA)
(declare-const x Int)
(assert (= (div x 0) 5))
(assert (= (mod x 0) (- 3)))
(assert (= x 8))
(set-info :status sat)
(check-sat)
