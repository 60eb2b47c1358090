; cvc5 extensions: reversal, update, case.
(set-logic ALL)
(declare-const s String)
(assert (= (str.rev s) (str.update s 0 "Ab")))
(assert (= (str.len s) 3))
(assert (= (str.to_upper s) "ABA"))
(assert (distinct (str.to_lower s) s))
(set-info :status sat)
(check-sat)
