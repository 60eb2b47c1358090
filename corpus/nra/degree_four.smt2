; A quartic with two real roots near 1.2.
(set-logic QF_NRA)
(declare-const x Real)
(assert (= (* x x x x) 2.0736))
(assert (> x 0.0))
(set-info :status sat)
(check-sat)
