; Some position of a two-letter string over {a,b} holds neither letter.
(set-logic ALL)
(declare-const s String)
(assert (and (= (str.len s) 2) (str.in_re s (re.* (re.union (str.to_re "a") (str.to_re "b"))))))
(assert (exists ((i Int)) (and (<= 0 i) (< i 2) (distinct (str.at s i) "a") (distinct (str.at s i) "b"))))
(set-info :status unsat)
(check-sat)
