; The IEEE remainder can be negative for positive arguments.
(set-logic QF_FP)
(declare-const x (_ FloatingPoint 3 4))
(declare-const y (_ FloatingPoint 3 4))
(assert (and (fp.isPositive x) (fp.isPositive y) (fp.isNormal y)))
(assert (fp.lt (fp.rem x y) (_ -zero 3 4)))
(set-info :status sat)
(check-sat)
