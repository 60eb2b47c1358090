; Containment is transitive through a replace that changes nothing.
(set-logic QF_S)
(declare-const x String)
(declare-const y String)
(assert (str.contains x (str.++ "ab" y)))
(assert (not (str.contains x "b")))
(set-info :status unsat)
(check-sat)
