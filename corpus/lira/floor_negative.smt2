; to_int rounds toward minus infinity.
(set-logic QF_LIRA)
(declare-const x Real)
(assert (= x (- 0.5)))
(assert (not (= (to_int x) (- 1))))
(set-info :status unsat)
(check-sat)
