; Quotients of positive numbers are positive, nested.
(set-logic QF_NRA)
(declare-const a Real)
(declare-const b Real)
(declare-const c Real)
(assert (and (< 0.0 a) (< a b) (<= b c)))
(assert (or (< (/ c b) 1.0) (> (/ a (/ c b)) a)))
(set-info :status unsat)
(check-sat)
