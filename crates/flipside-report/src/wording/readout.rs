//! How distributions were read out of a language model, in words.

use flipside_core::answer::ReadoutKind;
use flipside_core::model::Wire;
use flipside_core::summary::ReadoutSummary;

use super::number::count;
use super::text::{foreign, plural};

/// What was read out of a language model, and what of it is not whole: `letters of 120 answers, 3 without a distribution since a letter
/// was not observed, ..`.
///
/// Of the template in whose words it was asked, the beginning of its digest.
pub fn readout(found: &ReadoutSummary, protocol: Option<&Wire>) -> String {
    let what = match found.kind {
        ReadoutKind::LetterLogprobs => "letters",
        ReadoutKind::TextLogprobs => "texts",
        _ => "plain text",
    };
    let mut parts = vec![format!(
        "{what} of {}",
        plural(found.asks, "answer", "answers")
    )];
    if found.partial > 0 {
        parts.push(format!(
            "{} without a distribution, since a letter was not observed",
            count(found.partial)
        ));
    }
    if let Some(covered) = found.smallest_covered {
        let low = match found.low_coverage {
            0 => String::new(),
            low => format!("{} with low coverage, ", count(low)),
        };
        parts.push(format!(
            "{low}smallest probability of all letters {covered:.2}"
        ));
    }
    if found.unreadable > 0 {
        parts.push(format!(
            "{} unreadable, whose pairs are missing",
            count(found.unreadable)
        ));
    }
    if found.pairs_without_drift > 0 {
        let pairs = plural(found.pairs_without_drift, "pair", "pairs");
        parts.push(format!("no drift of {pairs}"));
    }
    let digest = protocol.and_then(|wire| wire.settings.get("template-sha256"));
    parts.extend(digest.map(|digest| {
        format!(
            "template {}",
            foreign(&digest.chars().take(12).collect::<String>())
        )
    }));
    parts.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_readout_says_what_was_read_and_what_is_not_whole() {
        let mut found = ReadoutSummary {
            kind: ReadoutKind::LetterLogprobs,
            asks: 1,
            partial: 0,
            low_coverage: 0,
            smallest_covered: Some(0.984),
            unreadable: 0,
            pairs_without_drift: 0,
        };
        assert_eq!(
            readout(&found, None),
            "letters of 1 answer; smallest probability of all letters 0.98"
        );
        found = ReadoutSummary {
            asks: 12_000,
            partial: 3,
            low_coverage: 2,
            smallest_covered: Some(0.1),
            pairs_without_drift: 1,
            ..found
        };
        assert_eq!(
            readout(&found, None),
            "letters of 12,000 answers; 3 without a distribution, since a letter was not observed; \
             2 with low coverage, smallest probability of all letters 0.10; no drift of 1 pair"
        );
        found = ReadoutSummary {
            kind: ReadoutKind::Text,
            asks: 4,
            partial: 0,
            low_coverage: 0,
            smallest_covered: None,
            unreadable: 1,
            pairs_without_drift: 2,
        };
        assert_eq!(
            readout(&found, None),
            "plain text of 4 answers; 1 unreadable, whose pairs are missing; no drift of 2 pairs"
        );
        found.kind = ReadoutKind::TextLogprobs;
        let mut wire = Wire::default();
        wire.settings
            .insert("template-sha256".to_owned(), "0123456789abcdef".to_owned());
        let said = readout(&found, Some(&wire));
        assert!(
            said.starts_with("texts of 4 answers") && said.ends_with("; template 0123456789ab"),
            "{said}"
        );
    }
}
