; Numerals edited by replace change by a known amount.
(set-logic QF_SLIA)
(declare-const s String)
(assert (= (str.len s) 2))
(assert (= (str.to_int (str.replace s "1" "9")) (+ (str.to_int s) 80)))
(set-info :status sat)
(check-sat)
