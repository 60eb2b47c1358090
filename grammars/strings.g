// UnicodeStrings: two strings, the empty one and "a", all operators of the theory.
grammar Strings;

str
    : '""'
    | '"a"'
    | 'a'
    | 'b'
    | '(str.++' str str ')'
    | '(str.at' str int ')'
    | '(str.substr' str int int ')'
    | '(str.replace' str str str ')'
    | '(str.replace_all' str str str ')'
    | '(str.replace_re' str re str ')'
    | '(str.replace_re_all' str re str ')'
    | '(str.from_int' int ')'
    | '(str.from_code' int ')'
    ;

int
    : '0'
    | '1'
    | '(str.len' str ')'
    | '(str.indexof' str str int ')'
    | '(str.to_int' str ')'
    | '(str.to_code' str ')'
    ;

re
    : 're.none'
    | 're.all'
    | 're.allchar'
    | '(str.to_re' str ')'
    | '(re.comp' re ')'
    | '(re.+' re ')'
    | '(re.*' re ')'
    | '(re.opt' re ')'
    | '(re.union' re re ')'
    | '(re.inter' re re ')'
    | '(re.++' re re ')'
    | '(re.diff' re re ')'
    | '(re.range' str str ')'
    | '((_ re.^ 2)' re ')'
    | '((_ re.loop 1 2)' re ')'
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
    | '(=' str str ')'
    | '(distinct' str str ')'
    | '(=' int int ')'
    | '(str.<' str str ')'
    | '(str.<=' str str ')'
    | '(str.prefixof' str str ')'
    | '(str.suffixof' str str ')'
    | '(str.contains' str str ')'
    | '(str.is_digit' str ')'
    | '(str.in_re' str re ')'
    ;

start
    : '(declare-const a String)' '(declare-const b String)' '(assert' bool ')' '(check-sat)'
    ;
