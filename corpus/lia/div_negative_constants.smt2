; -7 div 2 is -4, -7 div -2 is 4: rounding follows the sign of the divisor.
(set-logic QF_LIA)
(declare-const a Int)
(assert (= a (- 7)))
(assert (not (and (= (div a 2) (- 4)) (= (div a (- 2)) 4) (= (mod a 2) (mod a (- 2)) 1))))
(set-info :status unsat)
(check-sat)
