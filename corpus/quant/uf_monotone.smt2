; A strictly increasing function cannot drop.
(set-logic UFLIA)
(declare-fun f (Int) Int)
(assert (forall ((x Int) (y Int)) (! (=> (< x y) (< (f x) (f y))) :pattern ((f x) (f y)))))
(assert (> (f 3) (- (f 10) 1)))
(set-info :status unsat)
(check-sat)
