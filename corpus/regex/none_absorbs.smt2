; Concatenation with the empty language is empty; its star holds only "".
(set-logic QF_S)
(declare-const s String)
(assert (or (str.in_re s (re.++ re.all re.none)) (and (str.in_re s (re.* re.none)) (distinct s ""))
  (str.in_re s (re.inter (str.to_re "") re.allchar)) (str.in_re s (re.+ re.none))))
(set-info :status unsat)
(check-sat)
