; Joining a sequence of two strings by hand.
(set-logic ALL)
(declare-const s (Seq String))
(assert (= s (seq.++ (seq.unit "a") (seq.unit "bc"))))
(assert (distinct (str.len (str.++ (seq.nth s 0) (seq.nth s 1))) 3))
(set-info :status unsat)
(check-sat)
