; Not every integer is twice another.
(set-logic LIA)
(assert (forall ((a Int)) (exists ((b Int)) (= a (* 2 b)))))
(set-info :status unsat)
(check-sat)
