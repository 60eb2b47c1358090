; A loop with lower bound above the upper is empty; loop 0 0 is the empty word.
(set-logic QF_S)
(declare-const s String)
(assert (or (str.in_re s ((_ re.loop 3 2) re.allchar))
  (and (distinct s "") (str.in_re s ((_ re.loop 0 0) (str.to_re "a"))))
  (and (distinct s "") (str.in_re s ((_ re.^ 0) re.all)))))
(set-info :status unsat)
(check-sat)
