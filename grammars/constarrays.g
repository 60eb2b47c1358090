// Arrays of integers: two variables, constant arrays, stores.
grammar ConstantArrays;

int
    : '0'
    | '1'
    | 'i'
    | '(+' int int ')'
    | '(select' array int ')'
    ;

array
    : 'a'
    | 'b'
    | '((as const (Array Int Int))' int ')'
    | '(store' array int int ')'
    | '(ite' bool array array ')'
    ;

bool
    : '(not' bool ')'
    | '(and' bool bool ')'
    | '(or' bool bool ')'
    | '(=' array array ')'
    | '(distinct' array array ')'
    | '(=' int int ')'
    | '(<' int int ')'
    ;

start
    : '(declare-const a (Array Int Int))' '(declare-const b (Array Int Int))' '(declare-const i Int)' '(assert' bool ')' '(check-sat)'
    ;
