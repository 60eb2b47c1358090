; Names of the string theory before its standardisation.
(set-logic ALL)
(declare-const s String)
(assert (str.in.re s (re.++ (str.to.re "a") (re.* (re.range "0" "9")))))
(assert (= (str.len s) 2))
(assert (not (= s "a0")))
(set-info :status sat)
(check-sat)
