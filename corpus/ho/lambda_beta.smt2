; Beta reduction of a lambda applied to constants.
(set-logic HO_ALL)
(declare-const x Int)
(define-fun compose ((p (-> Int Int)) (q (-> Int Int)) (v Int)) Int (p (q v)))
(assert (distinct (compose (lambda ((a Int)) (+ a 1)) (lambda ((a Int)) (* 2 a)) x) (+ (* 2 x) 1)))
(set-info :status unsat)
(check-sat)
