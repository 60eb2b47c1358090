; from_code inverts to_code on characters.
(set-logic QF_SLIA)
(declare-const s String)
(assert (= (str.len s) 1))
(assert (distinct (str.from_code (str.to_code s)) s))
(set-info :status unsat)
(check-sat)
