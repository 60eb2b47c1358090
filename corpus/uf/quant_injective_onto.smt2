; A successor-like function on a free sort.
(set-logic UF)
(declare-sort N 0)
(declare-fun s (N) N)
(declare-const z N)
(assert (forall ((x N)) (distinct (s x) z)))
(assert (forall ((x N)) (= (s (s (s x))) (s x))))
(set-info :status sat)
(check-sat)
