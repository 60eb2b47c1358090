; Tokens as a datatype with a string inside.
(set-logic ALL)
(declare-datatype Tok ((num (value Int)) (word (name String)) (eof)))
(define-fun lex ((s String)) Tok (ite (= s "") eof (ite (>= (str.to_int s) 0) (num (str.to_int s)) (word s))))
(assert (not (and (= (lex "007") (num 7)) (= (lex "") eof) (= (lex "-7") (word "-7")) (= (name (lex "x1")) "x1"))))
(set-info :status unsat)
(check-sat)
