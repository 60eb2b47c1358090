; An irrational root between tight rational bounds.
(set-logic QF_NRA)
(declare-const x Real)
(assert (= (* x x) 2.0))
(assert (< 1.41421356 x 1.41421357))
(set-info :status sat)
(check-sat)
