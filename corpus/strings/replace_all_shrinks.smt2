; Removing all a's leaves none.
(set-logic QF_SLIA)
(declare-const s String)
(assert (< (str.len s) 4))
(assert (str.contains (str.replace_all s "a" "") "a"))
(set-info :status unsat)
(check-sat)
