; Three pairwise products are not all negative.
(set-logic QF_NRA)
(declare-const x Real)
(declare-const y Real)
(declare-const z Real)
(assert (and (< (* x y) 0.0) (< (* y z) 0.0) (< (* z x) 0.0)))
(set-info :status unsat)
(check-sat)
