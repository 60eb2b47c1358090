; Arithmetic mean is at least the geometric mean.
(set-logic QF_NRA)
(declare-const a Real)
(declare-const b Real)
(assert (and (>= a 0.0) (>= b 0.0)))
(assert (< (* (+ a b) (+ a b)) (* 4.0 a b)))
(set-info :status unsat)
(check-sat)
