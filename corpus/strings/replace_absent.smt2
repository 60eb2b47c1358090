; Replacing what is not there changes nothing.
(set-logic QF_SLIA)
(declare-const s String)
(declare-const p String)
(declare-const r String)
(assert (not (str.contains s p)))
(assert (not (= (str.replace s p r) s)))
(set-info :status unsat)
(check-sat)
