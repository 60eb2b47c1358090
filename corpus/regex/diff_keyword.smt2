; An identifier that is not a keyword.
(set-logic QF_SLIA)
(declare-const s String)
(define-fun letter () RegLan (re.range "a" "z"))
(assert (str.in_re s (re.diff (re.++ letter (re.* (re.union letter (re.range "0" "9")))) (re.union (str.to_re "if") (str.to_re "in")))))
(assert (and (str.prefixof "i" s) (< (str.len s) 3) (distinct s "i")))
(set-info :status sat)
(check-sat)
