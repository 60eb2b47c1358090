; A rotation is two shifts or-ed together.
(set-logic QF_BV)
(declare-const x (_ BitVec 8))
(assert (or
  (distinct ((_ rotate_left 3) x) (bvor (bvshl x #x03) (bvlshr x #x05)))
  (distinct ((_ rotate_right 3) x) ((_ rotate_left 5) x))
  (distinct ((_ rotate_left 8) x) x)
  (distinct ((_ rotate_right 11) x) ((_ rotate_right 3) x))))
(set-info :status unsat)
(check-sat)
