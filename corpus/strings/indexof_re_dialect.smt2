; cvc5 extension: leftmost match of a regular expression.
(set-logic ALL)
(declare-const s String)
(assert (= (str.len s) 3))
(assert (>= (str.indexof_re s (re.++ (str.to_re "a") (re.range "0" "9")) 0) 2))
(set-info :status unsat)
(check-sat)
