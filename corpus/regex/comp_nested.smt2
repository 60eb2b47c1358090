; Double complement inside an intersection.
(set-logic QF_S)
(declare-const s String)
(define-fun noa () RegLan (re.comp (re.++ re.all (str.to_re "a") re.all)))
(assert (str.in_re s (re.inter noa (re.comp noa))))
(set-info :status unsat)
(check-sat)
