; Multiples of two and three are multiples of six.
(set-logic QF_SLIA)
(declare-const s String)
(assert (str.in_re s (re.inter (re.* (str.to_re "aa")) (re.+ (str.to_re "aaa")))))
(assert (< (str.len s) 12))
(set-info :status sat)
(check-sat)
