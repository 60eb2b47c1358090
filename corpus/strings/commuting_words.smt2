; Words that commute share their first letter.
(set-logic QF_SLIA)
(declare-const x String)
(declare-const y String)
(assert (= (str.++ x y) (str.++ y x)))
(assert (and (str.prefixof "a" x) (str.prefixof "b" y)))
(set-info :status unsat)
(check-sat)
