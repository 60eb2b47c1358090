; A guard that fails at one end of the interval.
(set-logic LRA)
(assert (forall ((t Real))
  (=> (and (<= 0.0 t) (<= t 10.0))
      (exists ((v Real)) (and (<= (- 1.0) v) (<= v 1.0) (< (+ t (* 2.0 v)) 8.0))))))
(set-info :status unsat)
(check-sat)
