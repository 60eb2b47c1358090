; A language minus a superset is empty.
(set-logic QF_SLIA)
(declare-const s String)
(assert (<= (str.len s) 4))
(assert (str.in_re s (re.diff (re.+ (str.to_re "xy")) (re.* (re.union (str.to_re "x") (str.to_re "y"))))))
(set-info :status unsat)
(check-sat)
