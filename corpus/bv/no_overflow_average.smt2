; The carry-free average equals the wide average.
(set-logic QF_BV)
(declare-const x (_ BitVec 8))
(declare-const y (_ BitVec 8))
(define-fun avg () (_ BitVec 8) (bvadd (bvand x y) (bvlshr (bvxor x y) #x01)))
(assert (distinct ((_ zero_extend 1) avg) (bvlshr (bvadd ((_ zero_extend 1) x) ((_ zero_extend 1) y)) #b000000001)))
(set-info :status unsat)
(check-sat)
