; A regular expression built from a variable word.
(set-logic QF_SLIA)
(declare-const x String)
(declare-const y String)
(assert (str.in_re y (re.++ (str.to_re x) (re.* (str.to_re "b")) (str.to_re x))))
(assert (= x "ab"))
(assert (= (str.len y) 6))
(set-info :status sat)
(check-sat)
