; Square of a 64-bit boundary number.
(set-logic QF_NIA)
(declare-const x Int)
(assert (= (* x x) 18446744073709551616))
(assert (< x (- 4294967295)))
(set-info :status sat)
(check-sat)
