//! What is known of prices; whatever a reply says of its cost counts before it, and `--price` does too.

use flipside_core::model::Price;

use crate::http::Endpoint;

/// A host, how its models' names begin, and what they ask per million tokens. Prices are those of the wire page, read in November
/// 2026; a host or a model that is not listed has a price that we do not know.
const PRICES: [(&str, &str, Price); 2] = [
    // 1.5: TypeSafe bills input only, whatever the model.
    ("api.typesafe.ai", "", input(42_000)),
    // 5: so does OpenAI for decisions.
    ("api.openai.com", "gpt-6-luna", input(100_000)),
];

const fn input(usd_micros: u64) -> Price {
    Price {
        input_usd_micros: usd_micros,
        output_usd_micros: 0,
    }
}

/// What a decision by `model` at `endpoint` costs, where that is known.
pub(super) fn known(endpoint: &Endpoint, model: Option<&str>) -> Option<Price> {
    let model = model?;
    PRICES
        .iter()
        .find(|(host, name, _)| endpoint.is_at(host) && model.starts_with(name))
        .map(|(_, _, price)| *price)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_price_is_that_of_a_host_and_a_model() {
        let input = |url: &str, model: &str| {
            let price = known(&Endpoint::parse(url).unwrap(), Some(model));
            price.map(|price| (price.input_usd_micros, price.output_usd_micros))
        };
        let typesafe = "https://api.typesafe.ai/v1/systemone";
        let openai = "https://api.openai.com/v1/decisions";
        assert_eq!(input(typesafe, "jev-latest"), Some((42_000, 0)));
        assert_eq!(input(openai, "gpt-6-luna"), Some((100_000, 0)));
        assert_eq!(input(typesafe, "mine"), Some((42_000, 0)));
        assert_eq!(input(openai, "jev-latest"), None);
        assert_eq!(
            input("https://api.typesafe.ai.evil.example/", "jev-latest"),
            None
        );
        let nameless = known(&Endpoint::parse(typesafe).unwrap(), None);
        assert_eq!(nameless, None);
    }
}
