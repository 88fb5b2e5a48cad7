//! A reply, and how it goes out: as it should, or cut, stretched and mislabelled.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::date::{http_date, seconds_now};
use crate::dialect::{Dialect, Wrong};
use crate::fault::{Fault, Retry};
use crate::json::write_text;
use crate::request::Problem;

const WRONG_BY: usize = 10;
const HUGE: usize = 9 * 1024 * 1024;
const CHUNK: usize = 64;
pub(crate) const JSON: &str = "application/json";
const TEXT: &str = "text/plain";
const HTML: &str = "text/html; charset=utf-8";
const PAGE: &[u8] = b"<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>";

/// A reply under construction; its buffers are used again.
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) content_type: &'static str,
    /// Further header lines, each with its line end.
    pub(crate) fields: Vec<u8>,
    pub(crate) body: Vec<u8>,
}

impl Reply {
    pub(crate) fn new() -> Self {
        Self {
            status: 200,
            content_type: JSON,
            fields: Vec::new(),
            body: Vec::with_capacity(1024),
        }
    }

    pub(crate) fn clear(&mut self) {
        self.status = 200;
        self.content_type = JSON;
        self.fields.clear();
        self.body.clear();
    }

    pub(crate) fn field(&mut self, name: &str, value: impl std::fmt::Display) {
        write!(self.fields, "{name}: {value}\r\n").expect("a vector takes every byte");
    }

    /// A page of HTML.
    pub(crate) fn page(&mut self, status: u16) {
        self.status = status;
        self.content_type = HTML;
        self.body.extend_from_slice(PAGE);
    }

    /// Makes the whole reply the one that `fault` asks for; `false` if it asks for none.
    pub(crate) fn replace(&mut self, fault: &Fault, dialect: Dialect, credentials: &str) -> bool {
        match fault {
            Fault::Status(status) => self.status_fault(dialect, *status),
            Fault::TextError(status) => {
                self.status = *status;
                self.content_type = TEXT;
                self.put("upstream connect error or disconnect before headers");
            }
            Fault::RetryAfter(status, retry) => {
                self.status_fault(dialect, *status);
                match retry {
                    Retry::After(text) => self.field("retry-after", text),
                    Retry::Date => self.field("retry-after", http_date(seconds_now() + 2)),
                    Retry::Absurd => self.field("retry-after", 99_999_999_999_u64),
                    Retry::Milliseconds(ms) => self.field("retry-after-ms", ms),
                }
            }
            Fault::ShouldRetry(status, should) => {
                self.status_fault(dialect, *status);
                self.field("x-should-retry", should);
            }
            Fault::ErrorInOk => {
                self.put("{\"error\":{\"code\":429,\"message\":\"too many requests upstream\",");
                self.put("\"metadata\":{\"provider_name\":\"TypeSafe\"}}}");
            }
            Fault::EchoKey => {
                let problem = Problem::new(
                    Wrong::StrangeKey,
                    &[],
                    format!("no such key: {credentials}"),
                );
                self.error(dialect, 401, "authentication_error", &problem);
            }
            Fault::Redirect(url) => {
                self.status = 307;
                self.field("location", url);
            }
            Fault::EmptyBody => {}
            Fault::HtmlOk => self.page(200),
            _ => return false,
        }
        true
    }

    fn status_fault(&mut self, dialect: Dialect, status: u16) {
        if status == 502 {
            return self.page(status);
        }
        let code = match status {
            403 if dialect == Dialect::Vercel => "customer_verification_required",
            401 | 403 => "authentication_error",
            402 => "no_credit",
            429 => "rate_limit_error",
            529 => "overloaded_error",
            _ => "planned_fault",
        };
        let message = format!("planned fault: {status} {}", reason(status));
        self.error(
            dialect,
            status,
            code,
            &Problem::new(Wrong::Question, &["body"], message),
        );
    }

    /// Spoils a finished body, where `fault` is about its bytes.
    pub(crate) fn spoil(&mut self, fault: &Fault) {
        match fault {
            Fault::ByteOrderMark => drop(self.body.splice(0..0, *b"\xef\xbb\xbf")),
            Fault::Prefix => drop(self.body.splice(0..0, *b"OK: ")),
            Fault::TrailingGarbage => self.body.extend_from_slice(b" {\"and\":\"more\"}"),
            Fault::HugeBody => self.body.resize(HUGE.max(self.body.len()), b' '),
            Fault::Gzip => {
                let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
                let written = encoder.write_all(&self.body);
                self.body = written
                    .and_then(|()| encoder.finish())
                    .expect("a vector takes every byte");
                self.field("content-encoding", "gzip");
            }
            _ => {}
        }
    }

    /// Appends the reply as bytes to send, spoiled where `fault` is about sending; whether the connection may live on.
    pub(crate) fn send(&self, out: &mut Vec<u8>, faults: &[&Fault], close: bool) -> bool {
        let find = |wanted: &Fault| faults.iter().any(|fault| **fault == *wanted);
        let start = out.len();
        out.extend_from_slice(b"HTTP/1.1 ");
        let length = if find(&Fault::LengthTooLong) {
            self.body.len() + WRONG_BY
        } else if find(&Fault::LengthTooShort) {
            self.body.len().saturating_sub(WRONG_BY)
        } else {
            self.body.len()
        };
        let chunked = find(&Fault::Chunked);
        write!(
            out,
            "{} {}\r\ncontent-type: {}\r\n",
            self.status,
            reason(self.status),
            self.content_type
        )
        .expect("a vector takes every byte");
        if chunked {
            out.extend_from_slice(b"transfer-encoding: chunked\r\n");
        } else {
            write!(out, "content-length: {length}\r\n").expect("a vector takes every byte");
        }
        out.extend_from_slice(&self.fields);
        if close {
            out.extend_from_slice(b"connection: close\r\n");
        }
        out.extend_from_slice(b"\r\n");
        if find(&Fault::CloseMidHeader) {
            out.truncate(start + (out.len() - start) / 2);
            return false;
        }
        if find(&Fault::CloseMidBody) {
            out.extend_from_slice(&self.body[..self.body.len() / 2]);
            return false;
        }
        if chunked {
            for chunk in self.body.chunks(CHUNK) {
                write!(out, "{:x}\r\n", chunk.len()).expect("a vector takes every byte");
                out.extend_from_slice(chunk);
                out.extend_from_slice(b"\r\n");
            }
            out.extend_from_slice(b"0\r\n\r\n");
        } else {
            out.extend_from_slice(&self.body);
        }
        !close && length == self.body.len()
    }

    pub(crate) fn put(&mut self, text: &str) {
        self.body.extend_from_slice(text.as_bytes());
    }

    pub(crate) fn text(&mut self, text: &str) {
        write_text(&mut self.body, text);
    }
}

pub(crate) fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        307 => "Temporary Redirect",
        400 => "Bad Request",
        401 => "Unauthorized",
        402 => "Payment Required",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        408 => "Request Timeout",
        409 => "Conflict",
        413 => "Content Too Large",
        415 => "Unsupported Media Type",
        422 => "Unprocessable Content",
        429 => "Too Many Requests",
        500 => "Internal Server Error",
        502 => "Bad Gateway",
        503 => "Service Unavailable",
        504 => "Gateway Timeout",
        529 => "Overloaded",
        _ => "Status",
    }
}
