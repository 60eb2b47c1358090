; Numerals in string form by the older conversion names.
(set-logic ALL)
(declare-const n Int)
(assert (= (str.len (int.to.str n)) 2))
(assert (= (str.to.int "040") (* 2 n)))
(set-info :status sat)
(check-sat)
