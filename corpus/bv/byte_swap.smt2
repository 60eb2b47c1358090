; Reversing bytes twice is the identity.
(set-logic QF_BV)
(declare-const w (_ BitVec 32))
(define-fun swap ((v (_ BitVec 32))) (_ BitVec 32)
  (concat ((_ extract 7 0) v) ((_ extract 15 8) v) ((_ extract 23 16) v) ((_ extract 31 24) v)))
(assert (distinct (swap (swap w)) w))
(set-info :status unsat)
(check-sat)
