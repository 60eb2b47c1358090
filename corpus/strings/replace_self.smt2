; Replacing a string by t in itself gives t.
(set-logic QF_SLIA)
(declare-const s String)
(declare-const t String)
(assert (distinct (str.replace s s t) t))
(set-info :status unsat)
(check-sat)
