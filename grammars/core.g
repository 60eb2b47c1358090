// Core: all operators of the theory on two variables and both constants.
grammar Core;

bool
    : 'true'
    | 'false'
    | 'a'
    | 'b'
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
    : '(declare-const a Bool)' '(declare-const b Bool)' '(assert' bool ')' '(check-sat)'
    ;
