; Equality that only arithmetic can see.
(set-logic QF_UFLIA)
(declare-fun f (Int) Int)
(declare-const x Int)
(declare-const y Int)
(assert (and (<= x y) (<= y x)))
(assert (distinct (+ (f x) 1) (+ 1 (f y))))
(set-info :status unsat)
(check-sat)
