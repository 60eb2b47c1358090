; The indexed character constant.
(set-logic ALL)
(declare-const s String)
(assert (= (str.++ (_ char #x41) s) "A\u{1F600}b"))
(assert (= (str.at s 0) (_ char #x1F600)))
(set-info :status sat)
(check-sat)
