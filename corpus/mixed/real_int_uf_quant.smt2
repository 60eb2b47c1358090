; A rounding function axiomatised and refuted.
(set-logic ALL)
(declare-fun rnd (Real) Int)
(assert (forall ((r Real)) (! (and (<= (to_real (rnd r)) (+ r 0.5)) (> (to_real (rnd r)) (- r 0.5))) :pattern ((rnd r)))))
(assert (or (= (rnd 2.25) 3) (distinct (rnd (- 1.0)) (- 1))))
(set-info :status unsat)
(check-sat)
