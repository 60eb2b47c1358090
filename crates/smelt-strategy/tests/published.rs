//! The rules of the papers, as they are printed: the wrong ones are refuted, and no right one is.

use smelt_strategy::rules::file::RuleFile;
use smelt_strategy::rules::instances::Coverage;
use smelt_strategy::rules::sample::sample;

/// The wrong ones, and why.
const WRONG: &[(&str, &str)] = &[
    ("janus-int-equal-plus-right", "c = 1"),
    ("janus-int-greater-plus-right", "adding to the smaller side"),
    ("janus-real-equal-plus-right", "any c but 0"),
    ("janus-real-greater-plus-right", "c > 0"),
    ("janus-real-less-plus-right", "c < 0"),
    ("janus-real-at-most-plus-right", "c < 0"),
    ("janus-string-equal/over1", "the appended string may be empty"),
    ("janus-regex-loop", "n = 0 is the empty language"),
    ("janus-regex-range", "a bound that is not one character makes the range empty"),
    ("sae-bvsle/under2", "bvsgt instead of bvslt"),
    ("sae-fp-negation", "NaN"),
    ("sae-str.suffixof/over1", "a suffix need not come first"),
    ("sae-str.contains/over1", "a part need not come first"),
    ("sae-str-equal/under1", "the empty string is prefix and suffix of everything"),
    ("fusion-row-3", "a factor 0"),
    ("fusion-row-4", "a coefficient 0"),
    ("fusion-row-7", "a factor 0"),
    ("fusion-row-8", "a coefficient 0"),
];

#[test]
fn wrong_rules_are_refuted() {
    let mut refuted = Vec::new();
    let mut all = 0;
    for text in [
        include_str!("published/janus.rules"),
        include_str!("published/sae.rules"),
        include_str!("published/fusion.rules"),
    ] {
        let file = RuleFile::read(text).unwrap();
        for rule in file.all() {
            all += 1;
            let s = sample(&rule.claim(), &Coverage::small(), 1000, 1);
            assert_eq!(s.unreadable, None, "{}", rule.name());
            match s.refuted {
                Some(c) => refuted.push((rule.name().to_owned(), c.values)),
                None => assert!(s.held > 20, "{}: {s:?}", rule.name()),
            }
        }
    }
    let names: Vec<&str> = refuted.iter().map(|(n, _)| n.as_str()).collect();
    let wrong: Vec<&str> = WRONG.iter().map(|(n, _)| *n).collect();
    for (name, values) in &refuted {
        assert!(wrong.contains(&name.as_str()), "{name} is refuted by {values}");
        assert!(!values.is_empty(), "{name}");
    }
    for (name, why) in WRONG {
        assert!(names.contains(name), "{name} ({why}) is not refuted");
    }
    assert!(all > 120, "{all}");
}
