; A least element above a bound.
(set-logic LIA)
(declare-const m Int)
(declare-const k Int)
(assert (> (* 3 m) k))
(assert (forall ((x Int)) (=> (> (* 3 x) k) (<= m x))))
(assert (= k 10))
(set-info :status sat)
(check-sat)
