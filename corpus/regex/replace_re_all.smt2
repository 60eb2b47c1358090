; All shortest nonempty matches, constant arguments.
(set-logic QF_S)
(declare-const s String)
(assert (= s "a12b3"))
(assert (not (and (= (str.replace_re_all s (re.range "0" "9") "#") "a##b#")
  (= (str.replace_re_all s (re.* re.allchar) "") "")
  (= (str.replace_re s (re.* (str.to_re "z")) "z") "za12b3"))))
(set-info :status unsat)
(check-sat)
