; Factorial by define-fun-rec at a constant.
(set-logic ALL)
(define-fun-rec fact ((n Int)) Int (ite (<= n 1) 1 (* n (fact (- n 1)))))
(assert (distinct (fact 5) 120))
(set-info :status unsat)
(check-sat)
