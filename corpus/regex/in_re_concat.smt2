; Membership of a concatenation with a variable in the middle.
(set-logic QF_S)
(declare-const x String)
(declare-const y String)
(assert (str.in_re (str.++ x "0" y) (re.* (re.union (str.to_re "10") (str.to_re "01")))))
(assert (not (str.in_re x (re.* (re.union (str.to_re "10") (str.to_re "01"))))))
(assert (distinct x ""))
(set-info :status sat)
(check-sat)
