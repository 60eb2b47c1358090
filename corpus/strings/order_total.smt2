; The order is total and antisymmetric.
(set-logic QF_SLIA)
(declare-const x String)
(declare-const y String)
(assert (and (< (str.len x) 2) (= (str.len y) 1)))
(assert (not (= (or (str.< x y) (str.< y x)) (distinct x y))))
(set-info :status unsat)
(check-sat)
