; let under a quantifier, shadowing its variable.
(set-logic LIA)
(declare-const k Int)
(assert (forall ((x Int)) (let ((x (+ x k)) (y (- x k))) (=> (< x y) (< k 0)))))
(assert (not (= k 0)))
(set-info :status sat)
(check-sat)
