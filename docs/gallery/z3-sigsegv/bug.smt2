(set-logic LRA)
(declare-fun a () Real)
(assert (exists ((m Real)) (forall ((l Real)) (=> (< (ite (forall ((k Real)) (< k m)) a (- m l)) a) false))))
(check-sat)
