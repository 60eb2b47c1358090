; A strip that holds rational but no integer points.
(set-logic QF_LIA)
(declare-const x Int)
(declare-const y Int)
(declare-const z Int)
(assert (= (+ (* 6 x) (* 9 y) (* 15 z)) 301))
(set-info :status unsat)
(check-sat)
