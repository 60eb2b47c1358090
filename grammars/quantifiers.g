// Quantified linear integer arithmetic: one bound name for each of the two kinds of quantifiers, which may hide each
// other.
grammar Quantifiers;

free
    : '0'
    | '1'
    | 'a'
    | '(-' free ')'
    | '(+' free free ')'
    ;

int
    : '0'
    | '1'
    | 'a'
    | 'x'
    | '(-' int ')'
    | '(+' int int ')'
    ;

inner
    : '(not' inner ')'
    | '(and' inner inner ')'
    | '(or' inner inner ')'
    | '(=>' inner inner ')'
    | '(=' int int ')'
    | '(<=' int int ')'
    | '(<' int int ')'
    | '(forall ((x Int))' inner ')'
    | '(exists ((x Int))' inner ')'
    ;

bool
    : '(not' bool ')'
    | '(and' bool bool ')'
    | '(or' bool bool ')'
    | '(=' free free ')'
    | '(<' free free ')'
    | '(forall ((x Int))' inner ')'
    | '(exists ((x Int))' inner ')'
    ;

start
    : '(declare-const a Int)' '(assert' bool ')' '(check-sat)'
    ;
