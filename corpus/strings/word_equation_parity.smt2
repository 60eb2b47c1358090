; Lengths make the equation impossible.
(set-logic QF_SLIA)
(declare-const x String)
(declare-const y String)
(assert (= (str.++ x x "c") (str.++ y y)))
(set-info :status unsat)
(check-sat)
