; Repetitions of three cannot have length seven.
(set-logic QF_SLIA)
(declare-const s String)
(assert (str.in_re s ((_ re.loop 1 4) (re.++ re.allchar re.allchar re.allchar))))
(assert (= (str.len s) 7))
(set-info :status unsat)
(check-sat)
