; Finite nonzero over zero is an infinity of the product sign.
(set-logic QF_FP)
(declare-const x Float16)
(assert (and (not (fp.isNaN x)) (not (fp.isZero x))))
(assert (not (= (fp.div RNE x (_ -zero 5 11)) (ite (fp.isNegative x) (_ +oo 5 11) (_ -oo 5 11)))))
(set-info :status unsat)
(check-sat)
