//! Resamples of clusters: each drawn by itself, or of many clusters in random groups.

use super::super::draw::Stream;

/// The most units that a resample draws one by one. The variance of a sum over random groups is that over clusters; what 5,000
/// groups say of it varies by 2 % (the square root of 2 over the groups).
const GROUPS: usize = 5_000;

/// Draws resamples of clusters, with repetitions.
#[derive(Debug)]
pub(super) struct Resamples {
    /// The clusters, those of a group one after the other; empty where each is drawn by itself.
    grouped: Vec<usize>,
    clusters: usize,
}

impl Resamples {
    /// Resamples of `clusters` clusters. More than [`GROUPS`] are put at random into as many groups, of sizes that differ by one at
    /// most, and whole groups are drawn: a word per cluster and resample would cost more than all the rest of a large file.
    pub(super) fn new(clusters: usize, stream: &mut Stream) -> Self {
        let mut grouped = Vec::new();
        if clusters > GROUPS {
            grouped.extend(0..clusters);
            stream.shuffle(&mut grouped);
        }
        Self { grouped, clusters }
    }

    /// The next resample, into `chosen`: indices of clusters, about as many as there are.
    pub(super) fn draw(&self, stream: &mut Stream, chosen: &mut Vec<usize>) {
        chosen.clear();
        if self.grouped.is_empty() {
            chosen.extend((0..self.clusters).map(|_| stream.position(self.clusters)));
            return;
        }
        for _ in 0..GROUPS {
            chosen.extend_from_slice(self.group(stream.position(GROUPS)));
        }
    }

    /// The sums over the clusters of each group; `None` where each is drawn by itself.
    pub(super) fn summed(&self, clusters: &[(f64, u64)]) -> Option<Vec<(f64, u64)>> {
        let sum = |group: usize| {
            let members = self.group(group).iter().map(|&place| clusters[place]);
            members.fold((0.0, 0), |(sum, n), (of, count)| (sum + of, n + count))
        };
        (!self.grouped.is_empty()).then(|| (0..GROUPS).map(sum).collect())
    }

    /// The group of each cluster; `None` where each is drawn by itself.
    pub(super) fn groups(&self) -> Option<Vec<usize>> {
        let mut of = vec![0; self.grouped.len()];
        for group in 0..GROUPS {
            self.group(group)
                .iter()
                .for_each(|&place| of[place] = group);
        }
        (!of.is_empty()).then_some(of)
    }

    fn group(&self, group: usize) -> &[usize] {
        let start = |group: usize| group * self.clusters / GROUPS;
        self.grouped
            .get(start(group)..start(group + 1))
            .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::draw::Part;
    use crate::stats::number::length;

    fn stream() -> Stream {
        Stream::new(&[Part::U64(5), Part::Text("resamples")])
    }

    #[test]
    fn few_clusters_are_drawn_one_by_one() {
        let (mut one, mut other) = (stream(), stream());
        let mut chosen = Vec::new();
        Resamples::new(GROUPS, &mut one).draw(&mut one, &mut chosen);
        let expected: Vec<usize> = (0..GROUPS).map(|_| other.position(GROUPS)).collect();
        assert_eq!(chosen, expected);
    }

    #[test]
    fn many_clusters_are_drawn_in_whole_groups_that_part_them() {
        let clusters = 2 * GROUPS + 1_234;
        let mut stream = stream();
        let resamples = Resamples::new(clusters, &mut stream);
        let mut sorted = resamples.grouped.clone();
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(0..clusters));
        let mut chosen = Vec::new();
        resamples.draw(&mut stream, &mut chosen);
        let mut times = vec![0_u32; clusters];
        for &place in &chosen {
            times[place] += 1;
        }
        // Every other cluster of a group is drawn as often as its first one.
        for group in 0..GROUPS {
            let members = group * clusters / GROUPS..(group + 1) * clusters / GROUPS;
            assert!(members.len() == 2 || members.len() == 3);
            let drawn = |place: usize| times[resamples.grouped[place]];
            let first = drawn(members.start);
            assert!(members.into_iter().all(|place| drawn(place) == first));
        }
        let share = length(chosen.len()) / length(clusters);
        assert!((share - 1.0).abs() < 0.02, "{share}");
        // 20 resamples leave a group out with a chance of e to the -20.
        let mut drawn = vec![false; clusters];
        for _ in 0..20 {
            resamples.draw(&mut stream, &mut chosen);
            for &place in &chosen {
                drawn[place] = true;
            }
        }
        assert!(!drawn.contains(&false));
    }

    #[test]
    fn the_mean_of_a_large_file_has_the_interval_of_the_normal_law() {
        // 0 or 1 in turn: a standard error of 0.5 over the square root of n.
        let n = 40_000;
        let values: Vec<f64> = (0..n).map(|place| f64::from(place % 2)).collect();
        let drawn = super::super::bootstrap(values.len(), 400, 0.95, &mut stream(), |chosen| {
            let sum: f64 = chosen.iter().map(|&place| values[place]).sum();
            Some(sum / length(chosen.len()))
        });
        let found = drawn.unwrap().unwrap();
        let expected = 0.5 / f64::from(n).sqrt();
        // 400 resamples tell a standard deviation to 3.5 %.
        assert!(
            (found.standard_error / expected - 1.0).abs() < 0.11,
            "{}",
            found.standard_error
        );
    }
}
