; A sum of two squares is never 3 modulo 4.
(set-logic QF_NIA)
(declare-const x Int)
(declare-const y Int)
(assert (and (<= 0 x 15) (<= 0 y 15)))
(assert (= (mod (+ (* x x) (* y y)) 4) 3))
(set-info :status unsat)
(check-sat)
