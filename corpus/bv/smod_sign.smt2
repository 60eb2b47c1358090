; bvsmod takes the sign of the divisor, bvsrem that of the dividend.
(set-logic QF_BV)
(declare-const x (_ BitVec 4))
(declare-const y (_ BitVec 4))
(assert (and (bvsgt y #x0) (bvslt x #x0)))
(assert (or (bvslt (bvsmod x y) #x0) (bvsgt (bvsrem x y) #x0)))
(set-info :status unsat)
(check-sat)
