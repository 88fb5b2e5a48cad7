//! Files of orders for `--order list:FILE`: arrays of identities, one a line or all in one array.

use camino::Utf8Path;
use flipside_core::foreign::Foreign;
use flipside_core::order::{Order, OrderError};

use crate::read::text_of;

/// Why a file of orders cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file cannot be read.
    #[error("{path}: the file of orders cannot be read")]
    Io {
        /// The file.
        path: String,
        /// What went wrong.
        #[source]
        source: std::io::Error,
    },
    /// A line is not an array of identities.
    #[error("{path}:{line}: `{}`: expected an order such as `[2,0,1]`", Foreign(found).cut(40))]
    Shape {
        /// The file.
        path: String,
        /// The line, from 1.
        line: usize,
        /// What was written.
        found: String,
    },
    /// An array is not an order.
    #[error("{path}:{line}: {source}")]
    Order {
        /// The file.
        path: String,
        /// The line, from 1.
        line: usize,
        /// Why not.
        source: OrderError,
    },
    /// No order at all.
    #[error("{path}: the file has no order")]
    Empty {
        /// The file.
        path: String,
    },
}

/// Reads the orders in the file at `path`.
///
/// # Errors
/// Every [`Error`] in it.
pub fn read(path: &Utf8Path) -> Result<Vec<Order>, Vec<Error>> {
    match text_of(path) {
        Ok(text) => parse(path.as_str(), &text),
        Err(source) => Err(vec![Error::Io {
            path: path.to_string(),
            source,
        }]),
    }
}

fn parse(path: &str, text: &str) -> Result<Vec<Order>, Vec<Error>> {
    let (mut orders, mut errors) = (Vec::new(), Vec::new());
    let shape = |line: usize, found: &str| Error::Shape {
        path: path.to_owned(),
        line,
        found: found.trim().to_owned(),
    };
    let order = |line: usize, identities: &[u64]| match Order::new(identities) {
        Ok(order) if !order.is_empty() => Ok(order),
        Ok(_) => Err(shape(line, "[]")),
        Err(source) => Err(Error::Order {
            path: path.to_owned(),
            line,
            source,
        }),
    };
    let mut take = |read: Result<Order, Error>| match read {
        Ok(order) => orders.push(order),
        Err(error) => errors.push(error),
    };
    if let Ok(all) = serde_json::from_str::<Vec<Vec<u64>>>(text) {
        for identities in &all {
            take(order(1, identities));
        }
    } else {
        for (line, text) in text
            .lines()
            .enumerate()
            .filter(|(_, text)| !text.trim().is_empty())
        {
            let line = line + 1;
            match serde_json::from_str::<Vec<u64>>(text) {
                Ok(identities) => take(order(line, &identities)),
                Err(_) => take(Err(shape(line, text))),
            }
        }
    }
    if orders.is_empty() && errors.is_empty() {
        errors.push(Error::Empty {
            path: path.to_owned(),
        });
    }
    if errors.is_empty() {
        Ok(orders)
    } else {
        Err(errors)
    }
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn orders_are_read_one_a_line_or_as_one_array() {
        let lines = parse("o.jsonl", "[2,0,1]\n\n[1,0]\n").unwrap();
        let array = parse("o.json", "[[2,0,1],\n [1,0]]").unwrap();
        assert_eq!(lines, array);
        assert_eq!(lines[0].to_string(), "[2,0,1]");
    }

    #[test]
    fn every_bad_order_is_named_with_its_line() {
        let errors = parse("o.jsonl", "[0,0]\nreverse\n[0,2]\n[]\n[0.5]\n").unwrap_err();
        let texts: Vec<String> = errors.iter().map(ToString::to_string).collect();
        assert_eq!(
            texts,
            [
                "o.jsonl:1: identity 0 stands twice",
                "o.jsonl:2: `reverse`: expected an order such as `[2,0,1]`",
                "o.jsonl:3: identity 2 is not in 0 to 1",
                "o.jsonl:4: `[]`: expected an order such as `[2,0,1]`",
                "o.jsonl:5: `[0.5]`: expected an order such as `[2,0,1]`",
            ]
        );
        assert_eq!(
            parse("o", "\n").unwrap_err()[0].to_string(),
            "o: the file has no order"
        );
    }
}
