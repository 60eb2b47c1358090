; Structure operators over mixed widths.
(set-logic QF_BV)
(declare-const a (_ BitVec 3))
(declare-const b (_ BitVec 5))
(assert (= ((_ extract 6 2) (concat a b)) ((_ sign_extend 2) (bvnot a))))
(assert (= ((_ zero_extend 3) a) ((_ extract 13 8) ((_ repeat 2) (concat b a)))))
(assert (bvslt ((_ sign_extend 0) b) ((_ zero_extend 0) #b00001)))
(set-info :status sat)
(check-sat)
