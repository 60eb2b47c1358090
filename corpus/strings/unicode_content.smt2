; Characters outside ASCII and beyond the basic plane.
(set-logic QF_SLIA)
(declare-const s String)
(assert (str.prefixof "\u{e9}\u{1F600}" s))
(assert (= (str.to_code (str.at s 2)) 196607))
(assert (= (str.len s) 3))
(set-info :status sat)
(check-sat)
