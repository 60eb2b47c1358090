; A tiny equality knapsack with bounded items.
(set-logic QF_LIA)
(declare-const a Int)
(declare-const b Int)
(declare-const c Int)
(assert (and (<= 0 a 3) (<= 0 b 3) (<= 0 c 3)))
(assert (= (+ (* 7 a) (* 12 b) (* 20 c)) 71))
(set-info :status sat)
(check-sat)
