// Core with five variables.
grammar CoreFive;

bool
    : 'true'
    | 'false'
    | 'a'
    | 'b'
    | 'c'
    | 'd'
    | 'e'
    | '(not' bool ')'
    | '(and' bool bool ')'
    | '(or' bool bool ')'
    | '(xor' bool bool ')'
    | '(=>' bool bool ')'
    | '(=' bool bool ')'
    | '(distinct' bool bool ')'
    | '(ite' bool bool bool ')'
    ;

start
    : '(declare-const a Bool)' '(declare-const b Bool)' '(declare-const c Bool)' '(declare-const d Bool)' '(declare-const e Bool)' '(assert' bool ')' '(check-sat)'
    ;
