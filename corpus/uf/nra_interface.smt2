; A function applied to a square and to zero.
(set-logic QF_UFNRA)
(declare-fun h (Real) Real)
(declare-const x Real)
(declare-const y Real)
(assert (= (+ (* x x) (* y y)) 0.0))
(assert (not (= (h x) (h y))))
(set-info :status unsat)
(check-sat)
