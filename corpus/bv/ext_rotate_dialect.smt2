; z3's rotation by a variable amount, at a constant.
(set-logic ALL)
(declare-const x (_ BitVec 8))
(declare-const k (_ BitVec 8))
(assert (= k #x0b))
(assert (distinct (ext_rotate_left x k) ((_ rotate_left 3) x)))
(set-info :status unsat)
(check-sat)
