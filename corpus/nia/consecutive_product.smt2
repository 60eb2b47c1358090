; A product of two consecutive integers is even.
(set-logic QF_NIA)
(declare-const n Int)
(assert (<= (- 6) n 6))
(assert (= (mod (* n (+ n 1)) 2) 1))
(set-info :status unsat)
(check-sat)
