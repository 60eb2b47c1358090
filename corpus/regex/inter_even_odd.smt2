; No word has even and odd length.
(set-logic QF_SLIA)
(declare-const s String)
(assert (< (str.len s) 6))
(assert (str.in_re s (re.inter (re.* (str.to_re "aa")) (re.++ (str.to_re "a") (re.* (str.to_re "aa"))))))
(set-info :status unsat)
(check-sat)
