; A mail-like shape needs at least five characters.
(set-logic QF_SLIA)
(declare-const s String)
(define-fun w () RegLan (re.+ (re.union (re.range "a" "z") (re.range "0" "9"))))
(assert (str.in_re s (re.++ w (str.to_re "@") w (str.to_re ".") w)))
(assert (< (str.len s) 5))
(set-info :status unsat)
(check-sat)
