; 0.1 is not a binary float of any size.
(set-logic QF_FPLRA)
(declare-const x (_ FloatingPoint 3 3))
(assert (not (or (fp.isNaN x) (fp.isInfinite x))))
(assert (= (* 10.0 (fp.to_real x)) 1.0))
(set-info :status unsat)
(check-sat)
