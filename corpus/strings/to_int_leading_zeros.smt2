; Different numerals with the same value.
(set-logic QF_SLIA)
(declare-const a String)
(declare-const b String)
(assert (= (str.to_int a) (str.to_int b) 42))
(assert (= (str.len b) (+ (str.len a) 3)))
(set-info :status sat)
(check-sat)
