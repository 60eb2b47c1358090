; Overlapping occurrences are replaced from the left, an empty pattern never.
(set-logic QF_SLIA)
(declare-const s String)
(assert (= s "aaaaa"))
(assert (not (and (= (str.replace_all s "aa" "b") "bba") (= (str.replace_all s "" "x") s))))
(set-info :status unsat)
(check-sat)
