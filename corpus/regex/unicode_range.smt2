; A range that crosses the edge of the basic plane.
(set-logic QF_SLIA)
(declare-const s String)
(assert (str.in_re s (re.+ (re.range "\u{fffe}" "\u{10001}"))))
(assert (= (str.len s) 2))
(assert (= (- (str.to_code (str.at s 0)) (str.to_code (str.at s 1))) 3))
(set-info :status sat)
(check-sat)
