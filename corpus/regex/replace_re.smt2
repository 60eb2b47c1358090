; The leftmost shortest match is replaced once.
(set-logic QF_S)
(declare-const s String)
(assert (= (str.replace_re s (re.+ (re.range "0" "9")) "#") "a#3b"))
(assert (str.in_re s (re.++ (str.to_re "a") (re.range "0" "9") (str.to_re "3b"))))
(set-info :status sat)
(check-sat)
