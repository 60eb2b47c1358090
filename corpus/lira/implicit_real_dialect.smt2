; Integers and reals mixed in one sum, as both solvers accept.
(set-logic ALL)
(declare-const n Int)
(declare-const r Real)
(assert (= (+ r n) 2.5))
(assert (> (* 2 r) n 0))
(set-info :status sat)
(check-sat)
