; Alpha-equal lambdas are equal.
(set-logic HO_ALL)
(declare-const k Int)
(assert (distinct (lambda ((x Int)) (+ x k)) (lambda ((y Int)) (+ y k))))
(set-info :status unsat)
(check-sat)
