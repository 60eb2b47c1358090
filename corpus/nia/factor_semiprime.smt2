; Split 221 into two proper factors.
(set-logic QF_NIA)
(declare-const p Int)
(declare-const q Int)
(assert (= (* p q) 221))
(assert (and (< 1 p) (< p q)))
(set-info :status sat)
(check-sat)
