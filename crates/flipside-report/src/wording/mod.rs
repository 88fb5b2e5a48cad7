//! Every sentence, plural, rounding and number format: pure functions, the same in every format.

mod axis;
mod canary;
mod compare;
pub mod composition;
mod confirm;
mod differences;
mod drift;
mod figure;
mod invariance;
mod keyed;
mod margins;
mod next;
mod number;
mod orders;
mod pairs;
mod phrasing;
pub mod position;
mod preflight;
mod readout;
mod record;
mod run;
mod served;
mod shown;
mod slots;
mod split;
mod standing;
mod suite;
mod text;

pub use axis::{
    beside, caution, changes, matter, more_axes, not_applicable, of_variant, value, variant,
};
pub use canary::{canary, canary_advice, cut_texts, other_way};
pub use compare::{
    about, compared, difference, left_out, mean_points, pooled, quantiles, shares, verdict,
};
pub use confirm::{
    again, anchored, at_rate, at_stopping, beside_control, confirmed_where, effect, expected,
    reach, stopping,
};
pub use differences::{
    apart, apart_notes, apart_reason, axis_left_out, changes as changed_cases,
    largest as largest_between, other_fields, part_name, part_notes, spread as spread_between,
    tested, unlisted,
};
pub(crate) use drift::is_still;
pub use drift::{
    agreement, confidence, drift_gate, drift_line, drift_notes, headroom, invariance, invariant,
    invariant_axes, no_flips, quantity, reached, rerouted, rerouted_bound, routes, score,
    still_axes,
};
pub use figure::{
    Said, averaged, baseline, bound, claimed, control_verdict, fit_verdict, flipped, limit_of,
    line_notes, line_verdict, mcnemar, mean_over, mean_right, more_pairs, own_order_differs, right,
};
pub use invariance::{StudyLine, small, study, study_statement};
pub use keyed::{
    averaged_beside, averaged_key, averaged_left_out, averaged_share, gained, key_change,
    more_keyed, more_ways, reported, ways,
};
pub use margins::{margin, not_asked_again, places, ticks, unknown_targets};
pub use next::next_steps;
pub use number::{
    bytes, count, duration_ms, limit, ordinal, p_value, percent, percent_apart, percent_of,
    percent_up, points, probability, range, usd,
};
pub use orders::{Told, across_orders, all_pairs, any_flip};
pub use pairs::{also, lost, no_position, not_paired, recorded};
pub use phrasing::{any_wording, by_wording, spread};
pub use preflight::{at_best, cost, destination, out_of_reach, volume};
pub use readout::readout;
pub use record::{
    against_record, confirmed_by_asking, differ, merged, record_notes, record_word, recording,
    recordings,
};
pub use run::{
    asked, claim, cost_of_run, gate, model, more_variants, not_complete, remaining, time,
};
pub use served::served_versions;
pub use shown::{answer, asked_as, flip, who_is_right};
pub use slots::{
    slot_effect, slot_flips, slot_flips_p, slot_notes, slot_p, slot_share, slots_name,
};
pub use split::{
    Hidden, more_clusters, more_flagged, slice_cell, slice_differs, slice_drift, slice_name,
    slice_share, split_name, split_notes, units,
};
pub use standing::{standing, standing_name, standings_found};
pub use suite::{suite_family, suite_latency, suite_model, suite_notes, suite_rows, suite_share};
pub use text::{case_name, failed, foreign, list, name, plural, sentence, together, width, wrap};
