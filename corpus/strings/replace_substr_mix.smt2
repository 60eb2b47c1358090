; replace of a substring found by indexof, then cut again.
(set-logic QF_SLIA)
(declare-const s String)
(declare-const t String)
(assert (= t (str.substr s (str.indexof s "<" 0) 3)))
(assert (= (str.replace s t "") "hi!"))
(assert (and (str.suffixof ">" t) (str.prefixof "h" s)))
(set-info :status sat)
(check-sat)
