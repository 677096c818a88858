//! Answers of which each is meant to keep whoever reads it for ever, or to fill its memory.

use std::time::Duration;

use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;

/// What is written instead of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Nasty {
    /// These bytes, then the end.
    Bytes(&'static [u8]),
    /// The first, then the second many times, then the third, then the end.
    Many(&'static [u8], &'static [u8], usize, &'static [u8]),
    /// The first, then the second without end.
    Endless(&'static [u8], &'static [u8]),
    /// The first, then the second without end, with a pause between its bytes.
    Drip(&'static [u8], &'static [u8]),
    /// These bytes, then silence.
    Silence(&'static [u8]),
}

use Nasty::{Bytes, Drip, Endless, Many, Silence};

const HEAD: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nCache-Control: no-cache\r\n\r\n";
const CHUNKED: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nCache-Control: no-cache\r\nTransfer-Encoding: chunked\r\n\r\n";
const MADE: &[u8] = b"HTTP/1.1 201 Created\r\nContent-Type: application/json\r\n\r\n";
const OPEN: &[u8] = b"HTTP/1.1 200 OK\r\n";

pub(super) const ALL: &[Nasty] = &[
    // Without end.
    Endless(HEAD, b"                "),
    Endless(MADE, b"[[[[[[[[[[[[[[[["),
    Endless(HEAD, b"\0\0\0\0\0\0\0\0"),
    Endless(b"HTTP/1.1 500 X\r\n\r\n", b"<p>Error</p>"),
    Endless(CHUNKED, b"4\r\n    \r\n"),
    Endless(CHUNKED, b"1;name=value;name=value\r\n \r\n"),
    Endless(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;", b"extension"),
    Endless(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", b"Trailer: x\r\n"),
    Endless(b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    Endless(b"", b"HTTP/1.1 103 Early Hints\r\nLink: </x>; rel=preload\r\n\r\n"),
    Endless(OPEN, b"X-Header: x\r\n"),
    Endless(b"HTTP/1.1 200 OK\r\nX-Header: ", b"x"),
    Endless(b"HTTP/1.1 200 ", b"OK"),
    Endless(b"", b"\r\n"),
    Endless(b"", b"x"),
    // Slowly.
    Drip(HEAD, b" "),
    Drip(MADE, b"["),
    Drip(OPEN, b"X-Header: x\r\n"),
    Drip(b"", b"HTTP/1.1 200 OK"),
    Drip(CHUNKED, b"1\r\n \r\n"),
    Silence(b""),
    Silence(b"HTTP/1.1 200 OK\r\n"),
    Silence(HEAD),
    Silence(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n[]"),
    // Large and deep.
    Many(HEAD, b"[", 7_000_000, b""),
    Many(HEAD, b"{\"a\":", 1_500_000, b""),
    Many(HEAD, b"[],", 2_500_000, b"[]]"),
    Many(b"HTTP/1.1 200 OK\r\nCache-Control: no-cache\r\nX-WP-Total: 1\r\n\r\n[[]", b",[]", 2_500_000, b"]"),
    Many(b"HTTP/1.1 200 OK\r\nCache-Control: no-cache\r\nX-WP-Total: 1\r\n\r\n[1", b",1", 3_900_000, b"]"),
    Many(b"HTTP/1.1 201 Created\r\n\r\n{\"id\":7", b",\"a\":{}", 1_000_000, b"}"),
    Many(b"HTTP/1.1 201 Created\r\n\r\n\"", b"\\u0041", 1_300_000, b"\""),
    Many(b"HTTP/1.1 200 OK\r\n\r\n\"", b"a", 8_000_000, b"\""),
    Many(b"HTTP/1.1 200 OK\r\n\r\n1", b"0", 8_000_000, b""),
    Many(b"HTTP/1.1 502 X\r\n\r\n{\"code\":\"", b"x", 60_000, b"\"}"),
    Many(OPEN, b"Link: <http://127.0.0.1:1/>; rel=next\r\n", 50_000, b"\r\n[]"),
    Many(b"HTTP/1.1 200 OK\r\nX-Large: ", b"x", 20_000_000, b"\r\n\r\n[]"),
    // Packed, which nobody asked for.
    Many(
        b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n\x1f\x8b\x08\0\0\0\0\0\0\xff",
        b"\xec\xc1\x01\x01\0\0\0\x80\x90\xfe\xaf\xee\x08\n",
        300_000,
        b"",
    ),
    Bytes(
        b"HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\nContent-Length: 8\r\n\r\nx\x9c\xed\xc1\x01\r\0\0",
    ),
    Bytes(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n2\r\n\x1f\x8b\r\n0\r\n\r\n"),
    // Nonsense.
    Bytes(b""),
    Bytes(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n{\"\xff\xfe\""),
    Bytes(b"HTTP/1.1 201 OK\r\nContent-Length: 9\r\n\r\n\xed\xa0\x80\xc0\xaf\xff\xfe\0\0"),
    Bytes(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nZZZ\r\n[]\r\n0\r\n\r\n"),
    Bytes(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n[]\r\n0\r\n\r\n"),
    Bytes(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF\r\n[]"),
    Bytes(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFFFFFFFFF\r\n[]"),
    Bytes(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n[]"),
    Bytes(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n[]"),
    Bytes(b"HTTP/1.1 200 OK\r\nContent-Length: 18446744073709551615\r\n\r\n[]"),
    Bytes(b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999\r\n\r\n[]"),
    Bytes(b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n[]"),
    Bytes(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n[]"),
    Bytes(b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n[]"),
    Bytes(b"HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n"),
    Bytes(b"HTTP/1.1 204 No Content\r\n\r\n"),
    Bytes(b"HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n"),
    Bytes(b"HTTP/1.1 000 X\r\n\r\n"),
    Bytes(b"HTTP/1.1 999 X\r\nContent-Length: 0\r\n\r\n"),
    Bytes(b"HTTP/9.9 200 OK\r\n\r\n[]"),
    Bytes(b"HTTP/0.9\r\n\r\n"),
    Bytes(b"\x15\x03\x01\0\x02\x02\x28"),
    Bytes(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    Bytes(b"\0\0\0\x04\0\0\0\0\0"),
    Bytes(b"SSH-2.0-x\r\n"),
    Bytes(b"[]"),
    Bytes(b"HTTP/1.1 200 OK\r\n folded: x\r\nbad header\r\n\0: \0\r\n\r\n[]"),
    Bytes(b"HTTP/1.1 200 OK\r\nX: \x1b[2J\xff\r\nContent-Length: 2\r\n\r\n{}"),
];

impl Nasty {
    /// Writes it until the other side has had enough.
    pub(super) async fn write(self, stream: &mut TcpStream) -> std::io::Result<()> {
        match self {
            Bytes(bytes) => stream.write_all(bytes).await,
            Many(before, piece, count, after) => {
                stream.write_all(before).await?;
                for start in (0..count).step_by(10_000) {
                    stream.write_all(&piece.repeat((count - start).min(10_000))).await?;
                }
                stream.write_all(after).await
            }
            Endless(before, piece) => {
                stream.write_all(before).await?;
                let pieces = piece.repeat(4096);
                loop {
                    stream.write_all(&pieces).await?;
                }
            }
            Drip(before, piece) => {
                stream.write_all(before).await?;
                for byte in piece.iter().cycle() {
                    stream.write_all(&[*byte]).await?;
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
                Ok(())
            }
            Silence(bytes) => {
                stream.write_all(bytes).await?;
                stream.readable().await?;
                let mut end = [0; 1];
                while stream.try_read(&mut end).is_err() {
                    stream.readable().await?;
                }
                Ok(())
            }
        }
    }
}
