; A string is in a language or in its complement, never both.
(set-logic QF_S)
(declare-const s String)
(define-fun r () RegLan (re.++ (re.* (str.to_re "ab")) (re.opt (str.to_re "a"))))
(assert (= (str.in_re s r) (str.in_re s (re.comp r))))
(set-info :status unsat)
(check-sat)
