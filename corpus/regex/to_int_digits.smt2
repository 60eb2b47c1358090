; A two-digit numeral ending in zero is at most ninety.
(set-logic QF_SLIA)
(declare-const s String)
(assert (str.in_re s (re.++ (re.range "1" "9") (str.to_re "0"))))
(assert (> (str.to_int s) 95))
(set-info :status unsat)
(check-sat)
