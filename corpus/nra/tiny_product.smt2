; Products of tiny rationals stay positive.
(set-logic QF_NRA)
(declare-const e Real)
(declare-const d Real)
(assert (< 0.0 e 0.00000000000000000001))
(assert (< 0.0 (* e d) (/ 1 1000000000000000000000000000000)))
(assert (> d 1.0))
(set-info :status sat)
(check-sat)
