// FloatingPoint: two doubles, plus zero and a NaN, all operators of the theory that stay in the format.
grammar FloatingPoint;

rm
    : 'RNE'
    | 'RNA'
    | 'RTP'
    | 'RTN'
    | 'RTZ'
    ;

fp
    : '(fp #b0 #b00000000000 #x0000000000000)'
    | '(fp #b1 #b11111111111 #xfffffffffffff)'
    | 'a'
    | 'b'
    | '(fp.abs' fp ')'
    | '(fp.neg' fp ')'
    | '(fp.add' rm fp fp ')'
    | '(fp.sub' rm fp fp ')'
    | '(fp.mul' rm fp fp ')'
    | '(fp.div' rm fp fp ')'
    | '(fp.fma' rm fp fp fp ')'
    | '(fp.sqrt' rm fp ')'
    | '(fp.rem' fp fp ')'
    | '(fp.roundToIntegral' rm fp ')'
    | '(fp.min' fp fp ')'
    | '(fp.max' fp fp ')'
    ;

bool
    : '(not' bool ')'
    | '(and' bool bool ')'
    | '(or' bool bool ')'
    | '(=' fp fp ')'
    | '(distinct' fp fp ')'
    | '(fp.leq' fp fp ')'
    | '(fp.lt' fp fp ')'
    | '(fp.geq' fp fp ')'
    | '(fp.gt' fp fp ')'
    | '(fp.eq' fp fp ')'
    | '(fp.isNormal' fp ')'
    | '(fp.isSubnormal' fp ')'
    | '(fp.isZero' fp ')'
    | '(fp.isInfinite' fp ')'
    | '(fp.isNaN' fp ')'
    | '(fp.isNegative' fp ')'
    | '(fp.isPositive' fp ')'
    ;

start
    : '(declare-const a (_ FloatingPoint 11 53))' '(declare-const b (_ FloatingPoint 11 53))' '(assert' bool ')' '(check-sat)'
    ;
