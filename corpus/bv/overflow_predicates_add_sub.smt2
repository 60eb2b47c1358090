; Addition and subtraction overflow predicates against wider arithmetic.
(set-logic QF_BV)
(declare-const a (_ BitVec 6))
(declare-const b (_ BitVec 6))
(define-fun z7 ((v (_ BitVec 6))) (_ BitVec 7) ((_ zero_extend 1) v))
(define-fun s7 ((v (_ BitVec 6))) (_ BitVec 7) ((_ sign_extend 1) v))
(assert (not (and
  (= (bvuaddo a b) (= ((_ extract 6 6) (bvadd (z7 a) (z7 b))) #b1))
  (= (bvusubo a b) (bvult a b))
  (= (bvsaddo a b) (distinct (bvadd (s7 a) (s7 b)) (s7 (bvadd a b))))
  (= (bvssubo a b) (distinct (bvsub (s7 a) (s7 b)) (s7 (bvsub a b)))))))
(set-info :status unsat)
(check-sat)
