// Reals_Ints: an integer and a real variable, with the conversions between the two sorts.
grammar RealInts;

int
    : '0'
    | '1'
    | 'a'
    | '(-' int ')'
    | '(-' int int ')'
    | '(+' int int ')'
    | '(*' int int ')'
    | '(div' int int ')'
    | '(mod' int int ')'
    | '(abs' int ')'
    | '(to_int' real ')'
    ;

real
    : '0.0'
    | '1.0'
    | 'b'
    | '(-' real ')'
    | '(-' real real ')'
    | '(+' real real ')'
    | '(*' real real ')'
    | '(/' real real ')'
    | '(to_real' int ')'
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
    | '(=' real real ')'
    | '(distinct' real real ')'
    | '(<=' real real ')'
    | '(<' real real ')'
    | '(>=' real real ')'
    | '(>' real real ')'
    | '(is_int' real ')'
    ;

start
    : '(declare-const a Int)' '(declare-const b Real)' '(assert' bool ')' '(check-sat)'
    ;
