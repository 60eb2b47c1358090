; A hexadecimal digit and its bits.
(set-logic ALL)
(declare-const c String)
(declare-const b (_ BitVec 8))
(assert (str.in_re c (re.union (re.range "0" "9") (re.range "a" "f"))))
(assert (= (str.to_code c) (ubv_to_int b)))
(assert (= ((_ extract 3 0) b) #x6))
(set-info :status sat)
(check-sat)
