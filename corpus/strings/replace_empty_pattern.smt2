; Replacing the empty string prepends.
(set-logic QF_SLIA)
(declare-const s String)
(declare-const t String)
(assert (distinct (str.replace s "" t) (str.++ t s)))
(set-info :status unsat)
(check-sat)
