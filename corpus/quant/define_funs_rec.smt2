; Mutually recursive parity.
(set-logic ALL)
(define-funs-rec ((even ((n Int)) Bool) (odd ((n Int)) Bool))
  ((ite (= n 0) true (odd (- n 1))) (ite (= n 0) false (even (- n 1)))))
(assert (or (even 7) (odd 4)))
(set-info :status unsat)
(check-sat)
