; 97 is prime.
(set-logic QF_NIA)
(declare-const p Int)
(declare-const q Int)
(assert (= (* p q) 97))
(assert (and (< 1 p) (<= p q) (< q 97)))
(set-info :status unsat)
(check-sat)
