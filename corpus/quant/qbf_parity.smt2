; A quantified Boolean formula with four alternations.
(set-logic UF)
(assert (forall ((a Bool)) (exists ((b Bool)) (forall ((c Bool)) (exists ((d Bool))
  (and (= (xor a b c) d) (= (xor a c) (not (xor d b)))))))))
(set-info :status unsat)
(check-sat)
