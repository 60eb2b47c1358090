; Named quantified axioms with :qid-like attributes.
(set-logic UFLIA)
(declare-fun g (Int) Int)
(assert (! (forall ((x Int)) (! (= (g (g x)) x) :pattern ((g x)))) :named involution))
(assert (! (= (g 1) 2) :named one))
(assert (! (distinct (g 2) 1) :named two))
(set-info :status unsat)
(check-sat)
