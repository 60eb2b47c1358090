; A map from strings to integers.
(set-logic ALL)
(declare-const m (Array String Int))
(declare-const k String)
(assert (= (select m (str.++ k "")) 1))
(assert (= (select (store m "" 5) k) 5))
(assert (distinct k ""))
(set-info :status unsat)
(check-sat)
