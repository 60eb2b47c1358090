; Nested absolute values fold the number line.
(set-logic QF_LIA)
(declare-const x Int)
(declare-const y Int)
(assert (= (abs (- (abs (- (abs x) 4)) 2)) 1))
(assert (= y (abs (- x (abs x)))))
(assert (> y 9))
(set-info :status sat)
(check-sat)
