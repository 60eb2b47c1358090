; forall-exists-forall: no integer bounds all multiples.
(set-logic LIA)
(assert (forall ((x Int)) (exists ((y Int)) (forall ((z Int)) (=> (> z x) (< (* 2 z) y))))))
(set-info :status unsat)
(check-sat)
