//! What went wrong on the way, in words for a person.

use std::error::Error;
use std::io::ErrorKind;

use flipside_core::model::Failure;

use super::endpoint::Endpoint;
use crate::wire::message;

/// The failure that `error` is, where no complete reply came.
pub(crate) fn of(error: &reqwest::Error, endpoint: &Endpoint) -> Failure {
    let host = endpoint.authority();
    if error.is_connect() {
        return Failure::Connect {
            message: connect(error, endpoint),
        };
    }
    Failure::Broken {
        message: format!(
            "`{host}` broke off before a complete reply: {}",
            last(error)
        ),
    }
}

fn connect(error: &reqwest::Error, endpoint: &Endpoint) -> String {
    let host = endpoint.authority();
    let causes = || std::iter::successors(error.source(), |&cause| cause.source());
    let io = causes().find_map(|cause| cause.downcast_ref::<std::io::Error>());
    if io.is_some_and(|io| io.kind() == ErrorKind::ConnectionRefused) {
        return format!("`{host}` refused the connection");
    }
    if causes().any(|cause| cause.to_string().starts_with("dns error")) {
        return format!(
            "unknown host `{}`",
            endpoint.url().host_str().unwrap_or(host)
        );
    }
    if endpoint.is_encrypted() && causes().any(|cause| cause.to_string().contains("certificate")) {
        return format!(
            "`{host}` has a certificate that is not trusted: {}",
            last(error)
        );
    }
    // An IO error that no operating system reported comes from TLS.
    if endpoint.is_encrypted() && io.is_some_and(|io| io.raw_os_error().is_none()) {
        return format!("`{host}` does not speak TLS as expected: {}", last(error));
    }
    format!("no connection to `{host}`: {}", last(error))
}

/// The innermost cause, which says what happened; the outer ones say that something did.
fn last(error: &reqwest::Error) -> String {
    let innermost = std::iter::successors(error.source(), |&cause| cause.source()).last();
    message::cut(&innermost.map_or_else(|| "no reason given".to_owned(), ToString::to_string))
}
