; Length forced by nested loops.
(set-logic QF_SLIA)
(declare-const s String)
(assert (str.in_re s ((_ re.loop 2 3) ((_ re.loop 2 3) (re.range "a" "c")))))
(assert (= (str.len s) 7))
(assert (not (str.contains s "b")))
(set-info :status sat)
(check-sat)
