; Every list is nil or has a head: deny it.
(set-logic ALL)
(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))
(assert (not (forall ((x L)) (or (= x nil) (exists ((h Int)) (= x (cons h (tl x))))))))
(set-info :status unsat)
(check-sat)
