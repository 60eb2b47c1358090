; Optional sign, digits, optional fraction.
(set-logic QF_SLIA)
(declare-const s String)
(define-fun digits () RegLan (re.+ (re.range "0" "9")))
(assert (str.in_re s (re.++ (re.opt (str.to_re "-")) digits (re.opt (re.++ (str.to_re ".") digits)))))
(assert (and (str.prefixof "-" s) (str.contains s ".") (= (str.len s) 5)))
(set-info :status sat)
(check-sat)
