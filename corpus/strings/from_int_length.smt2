; A number whose decimal form has three digits and ends in 7.
(set-logic QF_SLIA)
(declare-const n Int)
(assert (= (str.len (str.from_int n)) 3))
(assert (str.suffixof "7" (str.from_int n)))
(assert (> n 990))
(set-info :status sat)
(check-sat)
