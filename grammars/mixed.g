// Mixed linear arithmetic: two integers and two reals that meet in conversions and conditionals only.
grammar MixedIntReal;

int
    : '0'
    | '1'
    | 'a'
    | 'b'
    | '(-' int ')'
    | '(+' int int ')'
    | '(to_int' real ')'
    | '(ite' bool int int ')'
    ;

real
    : '0.0'
    | '1.0'
    | 'c'
    | 'd'
    | '(-' real ')'
    | '(+' real real ')'
    | '(to_real' int ')'
    | '(/' real '2.0)'
    | '(ite' bool real real ')'
    ;

bool
    : '(not' bool ')'
    | '(and' bool bool ')'
    | '(or' bool bool ')'
    | '(=' int int ')'
    | '(<' int int ')'
    | '(=' real real ')'
    | '(<' real real ')'
    | '(is_int' real ')'
    ;

start
    : '(declare-const a Int)' '(declare-const b Int)' '(declare-const c Real)' '(declare-const d Real)' '(assert' bool ')' '(check-sat)'
    ;
