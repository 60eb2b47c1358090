(set-logic ALL)
(assert (= (arccsc 2.0) 0.0))
(check-sat)
