; The complement of single characters holds the empty string and longer ones.
(set-logic QF_SLIA)
(declare-const s String)
(declare-const t String)
(assert (and (str.in_re s (re.comp re.allchar)) (str.in_re t (re.comp re.allchar))))
(assert (< (str.len s) (str.len t) 3))
(set-info :status sat)
(check-sat)
