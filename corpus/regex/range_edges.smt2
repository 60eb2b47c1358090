; Ranges: reversed and multi-character bounds are empty.
(set-logic QF_S)
(declare-const s String)
(assert (or (str.in_re s (re.range "b" "a")) (str.in_re s (re.range "ab" "c"))
  (and (str.in_re s (re.range "a" "a")) (distinct s "a"))))
(set-info :status unsat)
(check-sat)
