; A store of what is already there is the identity, at any depth.
(set-logic QF_ALIA)
(declare-const a (Array Int Int))
(declare-const i Int)
(declare-const j Int)
(assert (let ((b (store a i (select a i))))
  (let ((c (store b j (select b j)))) (distinct (store c i (select a i)) a))))
(set-info :status unsat)
(check-sat)
