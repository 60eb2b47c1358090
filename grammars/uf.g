// Uninterpreted functions over a free sort, with a predicate.
grammar UF;

term
    : 'a'
    | 'b'
    | '(f' term ')'
    | '(g' term term ')'
    | '(ite' bool term term ')'
    ;

bool
    : 'p'
    | '(not' bool ')'
    | '(and' bool bool ')'
    | '(or' bool bool ')'
    | '(xor' bool bool ')'
    | '(=' term term ')'
    | '(distinct' term term ')'
    | '(q' term ')'
    ;

start
    : '(declare-sort S 0)' '(declare-const a S)' '(declare-const b S)' '(declare-const p Bool)' '(declare-fun f (S) S)' '(declare-fun g (S S) S)' '(declare-fun q (S) Bool)' '(assert' bool ')' '(check-sat)'
    ;
