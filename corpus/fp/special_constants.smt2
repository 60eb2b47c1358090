; Literals and named constants of one format denote the same values.
(set-logic QF_FP)
(assert (not (and
  (= (_ +zero 5 11) (fp #b0 #b00000 #b0000000000))
  (= (_ -zero 5 11) (fp.neg (_ +zero 5 11)))
  (= (_ +oo 5 11) (fp #b0 #b11111 #b0000000000))
  (= (_ -oo 5 11) ((_ to_fp 5 11) #xfc00))
  (= (_ NaN 5 11) (fp #b1 #b11111 #b1000000001))
  (distinct (_ +zero 5 11) (_ -zero 5 11))
  (fp.eq (_ +zero 5 11) (_ -zero 5 11)))))
(set-info :status unsat)
(check-sat)
