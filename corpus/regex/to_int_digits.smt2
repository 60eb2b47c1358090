; A numeral followed by letters has no value.
(set-logic QF_SLIA)
(declare-const s String)
(declare-const t String)
(assert (str.in_re s (re.+ (re.range "a" "f"))))
(assert (= t (str.++ "4" s)))
(assert (>= (str.to_int t) 4))
(set-info :status unsat)
(check-sat)
