; Shared substrings through let, branching on contains.
(set-logic QF_SLIA)
(declare-const s String)
(assert (let ((h (str.at s 0)) (n (str.len s)))
  (let ((t (str.substr s 1 (- n 1))))
    (and (> n 0) (distinct (ite (str.contains s h) (str.++ h t) (str.++ t h)) s)))))
(set-info :status unsat)
(check-sat)
