; Quotes, tabs and line feeds inside a constrained string.
(set-logic QF_SLIA)
(declare-const s String)
(assert (str.contains s """"))
(assert (str.contains s "\u{9}\u{a}"))
(assert (= (str.replace s """" "") "\u{9}\u{a}"))
(assert (> (str.indexof s """" 0) 0))
(set-info :status sat)
(check-sat)
