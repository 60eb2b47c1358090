; Truth rests on the value of 1/0 and 2/0.
(set-logic QF_NRA)
(declare-const z Real)
(assert (= z (* 2.0 z)))
(assert (= (/ 1.0 z) 7.0))
(assert (< (/ 2.0 z) (- 7.0)))
(set-info :status sat)
(check-sat)
