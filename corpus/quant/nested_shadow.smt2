; The same name bound at three levels and free.
(set-logic LIA)
(declare-const x Int)
(assert (and (> x 3) (forall ((x Int)) (or (< x 5) (exists ((x Int)) (and (> x 7) (< x 9) (= (mod x 2) 1)))))))
(set-info :status unsat)
(check-sat)
