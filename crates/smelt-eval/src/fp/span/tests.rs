//! All spans of a tiny format: what operations make of them, against all their values.

use super::*;

/// The values of a format, the numbers in their order, and NaN.
fn values(format: Format) -> Vec<Fp> {
    let all = (0..1u64 << format.width()).filter_map(|bits| {
        let bits = crate::bv::Bv::new(format.width(), bits).ok()?;
        Fp::from_bits(format, &bits)
    });
    let mut all: Vec<Fp> = all.filter(|x| !x.is_nan()).collect();
    all.sort_by(Fp::rank);
    all.push(Fp::nan(format));
    all
}

fn spans(format: Format) -> Vec<Span> {
    let all = values(format);
    let numbers = &all[..all.len() - 1];
    let mut out = vec![Span::of(&Fp::nan(format))];
    for (i, low) in numbers.iter().enumerate() {
        for high in &numbers[i..] {
            let span = Span::between(low.clone(), high.clone());
            out.extend([span.clone().with_nan(true), span]);
        }
    }
    out
}

fn tiny() -> Format {
    Format::new(2, 2).unwrap()
}

#[test]
fn the_order_is_total() {
    for format in [tiny(), Format::new(3, 4).unwrap()] {
        let all = values(format);
        for pair in all[..all.len() - 1].windows(2) {
            assert!(pair[0].rank(&pair[1]).is_lt() && pair[1].rank(&pair[0]).is_gt());
            assert_eq!(pair[1].before(), Some(pair[0].clone()));
        }
        assert_eq!(all[0].before(), None);
        assert_eq!(all.last().unwrap().before(), None);
    }
}

/// Of each operation of one argument the result is the least span that has all results.
#[test]
fn one_argument() {
    let (format, wide) = (tiny(), Format::new(3, 3).unwrap());
    let all = values(format);
    for span in spans(format) {
        let check = |got: Span, f: &dyn Fn(&Fp) -> Fp| {
            let results = all.iter().filter(|x| span.contains(x)).map(|x| Span::of(&f(x)));
            assert_eq!(got, results.reduce(|a, b| a.join(&b)).unwrap(), "{span:?}");
        };
        check(span.clone(), &Fp::clone);
        check(span.neg(), &Fp::neg);
        check(span.abs(), &Fp::abs);
        for mode in RoundingMode::ALL {
            check(span.round_to_integral(mode), &|x| x.round_to_integral(mode));
            check(span.sqrt(mode), &|x| x.sqrt(mode));
            check(span.to_format(mode, wide), &|x| x.to_format(mode, wide));
        }
    }
    // Into a format that has fewer numbers.
    for span in spans(wide) {
        for mode in RoundingMode::ALL {
            let got = span.to_format(mode, format);
            for x in values(wide).iter().filter(|x| span.contains(x)) {
                assert!(got.contains(&x.to_format(mode, format)), "{span:?} {mode} {x}");
            }
        }
    }
}

/// Of two arguments, all results are in the span, and what is said of comparisons is so for all pairs.
#[test]
fn two_arguments() {
    let (format, all) = (tiny(), values(tiny()));
    let spans = spans(format);
    for (i, one) in spans.iter().enumerate() {
        for (j, two) in spans.iter().enumerate() {
            let mode = RoundingMode::ALL[(i * 7 + j) % 5];
            let (sum, product) = (one.add(mode, two), one.mul(mode, two));
            let (least, greatest) = (one.min(two), one.max(two));
            let (below, up_to) = (one.is_below(two, false), one.is_below(two, true));
            let (same, equal) = (one.is_ieee_equal(two), one.is_equal(two));
            let (meet, join) = (one.meet(two), one.join(two));
            let within = one.is_within(two);
            for x in all.iter().filter(|x| one.contains(x)) {
                assert!(join.contains(x) && meet.contains(x) == two.contains(x));
                assert!(within.is_none_or(|is| is == two.contains(x)));
                for y in all.iter().filter(|y| two.contains(y)) {
                    let about = || format!("{one:?} {two:?} {mode}: {x} {y}");
                    assert!(sum.contains(&x.add(mode, y)), "{}", about());
                    assert!(product.contains(&x.mul(mode, y)), "{}", about());
                    for (span, of) in [(&least, x.min(y)), (&greatest, x.max(y))] {
                        assert!(
                            match of {
                                Extremum::Is(z) => span.contains(&z),
                                Extremum::EitherZero => [x, y].iter().all(|z| span.contains(z)),
                            },
                            "{}",
                            about()
                        );
                    }
                    for (said, is) in
                        [(below, x.lt(y)), (up_to, x.leq(y)), (same, x.ieee_eq(y)), (equal, x == y)]
                    {
                        assert!(said.is_none_or(|said| said == is), "{}", about());
                    }
                }
            }
            // What a comparison with an unknown number of a span says of a number.
            for (or_equal, holds) in
                [(false, Fp::lt as fn(&Fp, &Fp) -> bool), (true, Fp::leq as fn(&Fp, &Fp) -> bool)]
            {
                if i != 0 {
                    continue;
                }
                let (lower, upper) = (Span::below(two, or_equal), Span::above(two, or_equal));
                for x in &all {
                    let any = |f: &dyn Fn(&Fp) -> bool| all.iter().any(|y| two.contains(y) && f(y));
                    assert_eq!(lower.contains(x), any(&|y| holds(x, y)), "{two:?} {x}");
                    assert_eq!(upper.contains(x), any(&|y| holds(y, x)), "{two:?} {x}");
                }
            }
        }
    }
}
