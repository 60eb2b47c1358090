; Narrowing in two steps is not narrowing in one.
(set-logic QF_FP)
(declare-const x (_ FloatingPoint 4 8))
(assert (not (= ((_ to_fp 4 4) RNE ((_ to_fp 4 5) RNE x)) ((_ to_fp 4 4) RNE x))))
(set-info :status sat)
(check-sat)
