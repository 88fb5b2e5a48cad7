//! The files that orders and axes name.

use flipside_core::order::Order;
use flipside_core::perturb::AxisSpec;
use flipside_core::perturb::keys::KeysSpec;
use flipside_core::perturb::order::OrderSpec;
use flipside_formats::{keys, orders};

use crate::diagnostic::Diagnostic;

/// The orders in every `list:FILE`, by file; what is wrong with them goes to `errors`.
pub(crate) fn lists(
    specs: &[OrderSpec],
    errors: &mut Vec<Diagnostic>,
) -> Vec<(String, Vec<Order>)> {
    let mut lists: Vec<(String, Vec<Order>)> = Vec::new();
    for spec in specs {
        let OrderSpec::List(file) = spec else {
            continue;
        };
        if lists.iter().any(|(known, _)| known == file) {
            continue;
        }
        match orders::read(file.as_str().into()) {
            Ok(orders) => lists.push((file.clone(), orders)),
            Err(found) => errors.extend(found.iter().map(|error| Diagnostic::caused(error))),
        }
    }
    lists
}

/// The lists of keys in every `keys:list:FILE`, by file; what is wrong with them goes to `errors`.
pub(crate) fn key_lists(
    specs: &[AxisSpec],
    errors: &mut Vec<Diagnostic>,
) -> Vec<(String, Vec<Vec<String>>)> {
    let mut lists: Vec<(String, Vec<Vec<String>>)> = Vec::new();
    for spec in specs {
        let AxisSpec::Keys(KeysSpec::List(file)) = spec else {
            continue;
        };
        match keys::read(file.as_str().into()) {
            Ok(keys) => lists.push((file.clone(), keys)),
            Err(found) => errors.extend(found.iter().map(|error| Diagnostic::caused(error))),
        }
    }
    lists
}
