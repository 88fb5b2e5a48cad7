//! HTTP/1.1 from the bytes: request heads and chunked bodies.

use std::ops::Range;

const MAX_HEADERS: usize = 64;
const MAX_CHUNK_LINE: usize = 1024;

/// How a request's body is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    Identity,
    Zstd,
    Other,
}

/// A request's head. Ranges point into the buffer that it was read from.
#[derive(Clone, Debug)]
pub(crate) struct Head {
    /// Bytes up to and with the empty line.
    pub(crate) length: usize,
    pub(crate) method: Range<usize>,
    pub(crate) path: Range<usize>,
    pub(crate) content_length: usize,
    pub(crate) chunked: bool,
    /// Whether the connection ends after the reply.
    pub(crate) close: bool,
    pub(crate) expects_continue: bool,
    pub(crate) encoding: Encoding,
    pub(crate) authorization: Option<Range<usize>>,
    pub(crate) request_id: Option<Range<usize>>,
}

/// The buffer holds no HTTP request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NotHttp;

impl Head {
    /// Reads the head at the front of `buffer`; `None` while it is not complete.
    pub(crate) fn read(buffer: &[u8]) -> Result<Option<Self>, NotHttp> {
        let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
        let mut request = httparse::Request::new(&mut headers);
        let length = match request.parse(buffer) {
            Ok(httparse::Status::Complete(length)) => length,
            Ok(httparse::Status::Partial) => return Ok(None),
            Err(_) => return Err(NotHttp),
        };
        let range = |part: &[u8]| {
            let start = part.as_ptr().addr() - buffer.as_ptr().addr();
            start..start + part.len()
        };
        let mut head = Self {
            length,
            method: range(request.method.unwrap_or_default().as_bytes()),
            path: range(request.path.unwrap_or_default().as_bytes()),
            content_length: 0,
            chunked: false,
            close: request.version == Some(0),
            expects_continue: false,
            encoding: Encoding::Identity,
            authorization: None,
            request_id: None,
        };
        for header in request.headers.iter() {
            let is = |name: &str| header.name.eq_ignore_ascii_case(name);
            let value = header.value.trim_ascii();
            let says = |word: &str| value.eq_ignore_ascii_case(word.as_bytes());
            // The length of a name sorts out nearly all headers before any comparison.
            match header.name.len() {
                14 if is("content-length") => {
                    let text = std::str::from_utf8(value).map_err(|_| NotHttp)?;
                    head.content_length = text.parse().map_err(|_| NotHttp)?;
                }
                17 if is("transfer-encoding") => head.chunked = says("chunked"),
                10 if is("connection") => {
                    head.close = says("close") || (head.close && !says("keep-alive"));
                }
                6 if is("expect") => head.expects_continue = says("100-continue"),
                16 if is("content-encoding") => {
                    head.encoding = match value {
                        b"identity" => Encoding::Identity,
                        b"zstd" => Encoding::Zstd,
                        _ => Encoding::Other,
                    };
                }
                13 if is("authorization") => head.authorization = Some(range(value)),
                12 if is("x-request-id") => head.request_id = Some(range(value)),
                _ => {}
            }
        }
        Ok(Some(head))
    }
}

/// Names and values of a head that [`Head::read`] accepted, in order.
pub(crate) fn fields(head: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
    let mut request = httparse::Request::new(&mut headers);
    if request.parse(head).is_err() {
        return Vec::new();
    }
    let fields = request.headers.iter();
    fields
        .map(|header| (header.name.to_owned(), header.value.to_vec()))
        .collect()
}

/// A chunked body at the front of `buffer` and the bytes that it took; `None` while it is not complete.
pub(crate) fn chunked(buffer: &[u8]) -> Result<Option<(Vec<u8>, usize)>, NotHttp> {
    let mut body = Vec::new();
    let mut at = 0;
    loop {
        let Some(line) = line(&buffer[at..])? else {
            return Ok(None);
        };
        let size = line.split(|byte| *byte == b';').next().unwrap_or_default();
        let size = std::str::from_utf8(size.trim_ascii()).map_err(|_| NotHttp)?;
        let size = usize::from_str_radix(size, 16).map_err(|_| NotHttp)?;
        at += line.len() + 2;
        if size == 0 {
            break;
        }
        let Some(chunk) = buffer.get(at..at.saturating_add(size)) else {
            return Ok(None);
        };
        body.extend_from_slice(chunk);
        at += size;
        match buffer.get(at..at + 2) {
            None => return Ok(None),
            Some(b"\r\n") => at += 2,
            Some(_) => return Err(NotHttp),
        }
    }
    loop {
        let Some(trailer) = line(&buffer[at..])? else {
            return Ok(None);
        };
        at += trailer.len() + 2;
        if trailer.is_empty() {
            return Ok(Some((body, at)));
        }
    }
}

fn line(buffer: &[u8]) -> Result<Option<&[u8]>, NotHttp> {
    match buffer
        .windows(2)
        .take(MAX_CHUNK_LINE)
        .position(|pair| pair == b"\r\n")
    {
        Some(end) => Ok(Some(&buffer[..end])),
        None if buffer.len() > MAX_CHUNK_LINE => Err(NotHttp),
        None => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_is_read_only_when_complete() {
        let text = b"POST /v1/systemone HTTP/1.1\r\nContent-Length: 5\r\nAuthorization: Bearer k\r\n\r\nhello";
        for end in 0..text.len() - 5 {
            assert!(Head::read(&text[..end]).unwrap().is_none());
        }
        let head = Head::read(text).unwrap().unwrap();
        assert_eq!(head.content_length, 5);
        assert_eq!(&text[head.method], b"POST");
        assert_eq!(&text[head.path], b"/v1/systemone");
        assert_eq!(&text[head.authorization.unwrap()], b"Bearer k");
        assert_eq!(&text[head.length..], b"hello");
        assert!(!head.close);
    }

    #[test]
    fn a_chunked_body_is_put_together_and_ends_where_it_ends() {
        let text = b"5\r\nhello\r\n6;x=y\r\n world\r\n0\r\nA: b\r\n\r\nnext";
        for end in 0..text.len() - 4 {
            assert_eq!(chunked(&text[..end]), Ok(None));
        }
        assert_eq!(
            chunked(text),
            Ok(Some((b"hello world".to_vec(), text.len() - 4)))
        );
        assert_eq!(chunked(b"x\r\n"), Err(NotHttp));
        assert_eq!(chunked(b"1\r\nabc"), Err(NotHttp));
    }
}
