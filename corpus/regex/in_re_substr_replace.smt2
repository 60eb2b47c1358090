; A replaced prefix keeps the rest in its language.
(set-logic QF_SLIA)
(declare-const s String)
(assert (str.in_re s (re.++ (str.to_re "k=") (re.* (re.range "0" "9")))))
(assert (= (str.len s) 4))
(assert (= (str.indexof (str.replace s "k=" "") "k" 0) 0))
(set-info :status unsat)
(check-sat)
