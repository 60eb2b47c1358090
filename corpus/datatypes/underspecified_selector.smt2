; Truth rests on a selector applied to the wrong constructor.
(set-logic QF_UFDTLIA)
(declare-datatype Opt ((no) (yes (get Int))))
(declare-const o Opt)
(assert (= o no))
(assert (= (get o) 41))
(set-info :status sat)
(check-sat)
