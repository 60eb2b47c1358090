; A suffix that overlaps a prefix: a border of length two.
(set-logic QF_SLIA)
(declare-const s String)
(declare-const b String)
(assert (and (str.prefixof b s) (str.suffixof b s)))
(assert (and (= (str.len b) 2) (= (str.len s) 3)))
(set-info :status sat)
(check-sat)
