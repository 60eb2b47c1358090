; Not every list is decreasing at its front.
(set-logic ALL)
(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))
(assert (forall ((x L)) (=> (and ((_ is cons) x) ((_ is cons) (tl x))) (> (hd x) (hd (tl x))))))
(set-info :status unsat)
(check-sat)
