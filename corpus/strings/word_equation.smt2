; A word equation with variables on both sides.
(set-logic QF_S)
(declare-const x String)
(declare-const y String)
(assert (= (str.++ x "ab" y) (str.++ y "ba" x)))
(assert (not (= x y)))
(set-info :status sat)
(check-sat)
