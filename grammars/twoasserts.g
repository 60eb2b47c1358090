// Ints with two assertions.
grammar TwoAsserts;

int
    : '0'
    | '1'
    | 'a'
    | 'b'
    | '(-' int ')'
    | '(-' int int ')'
    | '(+' int int ')'
    | '(*' int int ')'
    | '(div' int int ')'
    | '(mod' int int ')'
    | '(abs' int ')'
    ;

bool
    : '(not' bool ')'
    | '(and' bool bool ')'
    | '(or' bool bool ')'
    | '(xor' bool bool ')'
    | '(=>' bool bool ')'
    | '(=' bool bool ')'
    | '(distinct' bool bool ')'
    | '(ite' bool bool bool ')'
    | '(=' int int ')'
    | '(distinct' int int ')'
    | '(<=' int int ')'
    | '(<' int int ')'
    | '(>=' int int ')'
    | '(>' int int ')'
    ;

start
    : '(declare-const a Int)' '(declare-const b Int)' '(assert' bool ')' '(assert' bool ')' '(check-sat)'
    ;
