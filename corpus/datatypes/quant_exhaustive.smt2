; A property of all constructors holds of all values.
(set-logic UFDT)
(declare-datatype C ((r) (g) (b)))
(declare-fun p (C) Bool)
(assert (and (p r) (p g) (p b)))
(assert (exists ((x C)) (not (p x))))
(set-info :status unsat)
(check-sat)
