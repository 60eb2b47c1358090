; A function defined by a recurrence, five steps.
(set-logic UFLIA)
(declare-fun tri (Int) Int)
(assert (= (tri 0) 0))
(assert (forall ((n Int)) (! (=> (> n 0) (= (tri n) (+ n (tri (- n 1))))) :pattern ((tri n)))))
(assert (distinct (tri 5) 15))
(set-info :status unsat)
(check-sat)
