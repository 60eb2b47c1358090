; ubv_to_int, sbv_to_int and int_to_bv agree with each other.
(set-logic ALL)
(declare-const x (_ BitVec 6))
(assert (not (and
  (= ((_ int_to_bv 6) (ubv_to_int x)) x)
  (= ((_ int_to_bv 6) (sbv_to_int x)) x)
  (= (sbv_to_int x) (ite (bvslt x #b000000) (- (ubv_to_int x) 64) (ubv_to_int x))))))
(set-info :status unsat)
(check-sat)
