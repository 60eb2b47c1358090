; Peano numbers with recursive addition: 2 + 2 is not 5.
(set-logic ALL)
(declare-datatype Nat ((zero) (succ (pred Nat))))
(define-fun-rec plus ((x Nat) (y Nat)) Nat (ite ((_ is zero) x) y (succ (plus (pred x) y))))
(declare-const two Nat)
(assert (= two (succ (succ zero))))
(assert (= (plus two two) (succ (succ (succ two)))))
(set-info :status unsat)
(check-sat)
