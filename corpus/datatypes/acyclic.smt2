; No value is a proper part of itself.
(set-logic QF_DT)
(declare-datatypes ((Tree 0)) (((leaf) (node (left Tree) (right Tree)))))
(declare-const t Tree)
(declare-const u Tree)
(assert (= t (node leaf (node u leaf))))
(assert (= u (node t (ite ((_ is leaf) u) leaf t))))
(set-info :status unsat)
(check-sat)
