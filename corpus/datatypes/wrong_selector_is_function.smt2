; A selector on the wrong constructor is still a function.
(set-logic QF_UFDTLIA)
(declare-datatype Opt ((no) (yes (get Int))))
(declare-const o Opt)
(declare-const p Opt)
(assert (and ((_ is no) o) ((_ is no) p)))
(assert (< (get o) (get p)))
(set-info :status unsat)
(check-sat)
