; to_code and from_code, is_digit.
(set-logic QF_SLIA)
(declare-const c String)
(declare-const d String)
(assert (= (str.to_code c) (+ (str.to_code d) 17)))
(assert (str.is_digit d))
(assert (= (str.from_code (+ (str.to_code c) 1)) "C"))
(set-info :status sat)
(check-sat)
