; replace changes only the first occurrence.
(set-logic QF_SLIA)
(declare-const s String)
(assert (= (str.replace s "na" "m") "bamna"))
(assert (distinct s "bamna"))
(set-info :status sat)
(check-sat)
