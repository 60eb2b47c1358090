; A function into three values that is injective on three arguments.
(set-logic QF_UFLIA)
(declare-fun f (Int) Int)
(assert (and (<= 0 (f 1) 2) (<= 0 (f 2) 2) (<= 0 (f 3) 2)))
(assert (distinct (f 1) (f 2) (f 3)))
(assert (= (f (f 1)) (+ (f 2) (f 3))))
(set-info :status sat)
(check-sat)
