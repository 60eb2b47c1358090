; A constant array with three holes.
(set-logic ALL)
(declare-const a (Array Int Bool))
(declare-const x Int)
(declare-const y Int)
(assert (= (store a x true) (store ((as const (Array Int Bool)) true) y false)))
(assert (and (not (select a x)) (< x y (+ x 2))))
(set-info :status sat)
(check-sat)
