// Finite sets of integers, as cvc5 has them.
grammar Sets;

set
    : '(as set.empty (Set Int))'
    | 'a'
    | 'b'
    | '(set.singleton' int ')'
    | '(set.insert' int set ')'
    | '(set.union' set set ')'
    | '(set.inter' set set ')'
    | '(set.minus' set set ')'
    ;

int
    : '0'
    | '1'
    | 'c'
    | '(set.card' set ')'
    ;

bool
    : '(not' bool ')'
    | '(and' bool bool ')'
    | '(or' bool bool ')'
    | '(=' set set ')'
    | '(distinct' set set ')'
    | '(=' int int ')'
    | '(<' int int ')'
    | '(set.member' int set ')'
    | '(set.subset' set set ')'
    ;

start
    : '(declare-const a (Set Int))' '(declare-const b (Set Int))' '(declare-const c Int)' '(assert' bool ')' '(check-sat)'
    ;
