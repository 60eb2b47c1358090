; Anything that is not all digits has the value -1.
(set-logic QF_SLIA)
(declare-const s String)
(assert (or (= s "") (= (str.at s 0) "-") (= (str.at s 1) " ")))
(assert (< (str.len s) 3))
(assert (>= (str.to_int s) 0))
(set-info :status unsat)
(check-sat)
