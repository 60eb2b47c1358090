; A six-bit word with four ones and no two adjacent pairs equal.
(set-logic QF_BV)
(declare-const w (_ BitVec 6))
(define-fun bit ((v (_ BitVec 1))) (_ BitVec 3) ((_ zero_extend 2) v))
(assert (= #b100 (bvadd (bit ((_ extract 0 0) w)) (bit ((_ extract 1 1) w)) (bit ((_ extract 2 2) w))
  (bit ((_ extract 3 3) w)) (bit ((_ extract 4 4) w)) (bit ((_ extract 5 5) w)))))
(assert (distinct ((_ extract 1 0) w) ((_ extract 3 2) w) ((_ extract 5 4) w)))
(set-info :status sat)
(check-sat)
