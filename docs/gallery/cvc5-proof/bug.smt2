(set-logic QF_S)
(declare-fun s () String)
(assert (str.< s s))
(check-sat)
