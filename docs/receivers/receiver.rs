// rustc --edition 2021 -O receiver.rs && WEBHOOK_SECRET=whsec_… PORT=4000 ./receiver
//
// The standard library has no HTTP, SHA-256 or base64. They are implemented below, so this
// file needs no crates. In production use axum or hyper, and the crates hmac, sha2 and base64; keep `is_genuine`.
use std::collections::HashSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Mutex;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

const TOLERANCE_SECONDS: u64 = 5 * 60;
const LARGEST_HEAD: u64 = 16 * 1024;
const LARGEST_BODY: usize = 1024 * 1024;

/// Decodes `whsec_` and base64; any other secret is used as UTF-8 bytes.
fn key_of(secret: &str) -> Vec<u8> {
    match secret.strip_prefix("whsec_") {
        Some(encoded) => from_base64(encoded).expect("what follows whsec_ is base64"),
        None => secret.as_bytes().to_vec(),
    }
}

/// Returns whether a signature is valid and the timestamp is within the tolerance.
fn is_genuine(key: &[u8], id: &str, timestamp: &str, signatures: &str, body: &[u8]) -> bool {
    let Ok(sent_at) = timestamp.parse::<u64>() else { return false };
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    if id.is_empty() || now.abs_diff(sent_at) > TOLERANCE_SECONDS {
        return false;
    }
    let expected = hmac_sha256(key, &[format!("{id}.{timestamp}.").as_bytes(), body].concat());
    signatures.split(' ').any(|signature| {
        let given = signature.strip_prefix("v1,").and_then(from_base64).unwrap_or_default();
        // Compares all bytes, so that the duration reveals nothing about the signature.
        given.len() == expected.len() && given.iter().zip(&expected).fold(0, |all, (a, b)| all | (a ^ b)) == 0
    })
}

fn status_for(stream: &TcpStream, key: &[u8], seen: &Mutex<HashSet<String>>) -> std::io::Result<&'static str> {
    let mut reader = BufReader::new(stream);
    let (mut id, mut timestamp, mut signatures, mut length) = (String::new(), String::new(), String::new(), 0);
    let mut head = reader.by_ref().take(LARGEST_HEAD);
    let mut request_line = String::new();
    head.read_line(&mut request_line)?;
    loop {
        let mut line = String::new();
        if head.read_line(&mut line)? == 0 {
            return Ok("431 Request Header Fields Too Large");
        }
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        let value = value.trim();
        match name.to_ascii_lowercase().as_str() {
            "webhook-id" => id = value.to_string(),
            "webhook-timestamp" => timestamp = value.to_string(),
            "webhook-signature" => signatures = value.to_string(),
            "content-length" => length = value.parse().unwrap_or(usize::MAX),
            _ => {}
        }
    }
    if length > LARGEST_BODY {
        return Ok("413 Content Too Large");
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    if !request_line.starts_with("POST ") || !is_genuine(key, &id, &timestamp, &signatures, &body) {
        return Ok("400 Bad Request");
    }
    // In production, store IDs in a table, in the transaction that processes the event.
    if seen.lock().unwrap().insert(id.clone()) {
        println!("received {id}"); // process the event here, with a JSON library
    }
    Ok("204 No Content")
}

fn main() -> std::io::Result<()> {
    let key = key_of(&std::env::var("WEBHOOK_SECRET").expect("set WEBHOOK_SECRET"));
    let port = std::env::var("PORT").unwrap_or_else(|_| "4000".to_string());
    let seen = Mutex::new(HashSet::new());
    let listener = TcpListener::bind(format!("127.0.0.1:{port}"))?;
    println!("ready");
    std::thread::scope(|scope| {
        for mut stream in listener.incoming().flatten() {
            let (key, seen) = (&key, &seen);
            scope.spawn(move || -> std::io::Result<()> {
                stream.set_read_timeout(Some(Duration::from_secs(10)))?;
                let status = status_for(&stream, key, seen)?;
                write!(stream, "HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
            });
        }
    });
    Ok(())
}

fn hmac_sha256(key: &[u8], message: &[u8]) -> [u8; 32] {
    let mut block = [0; 64];
    if key.len() > 64 {
        block[..32].copy_from_slice(&sha256(key));
    } else {
        block[..key.len()].copy_from_slice(key);
    }
    let inner = sha256(&[&block.map(|byte| byte ^ 0x36)[..], message].concat());
    sha256(&[&block.map(|byte| byte ^ 0x5c)[..], &inner].concat())
}

fn sha256(message: &[u8]) -> [u8; 32] {
    const K: [u32; 64] = [
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
        0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
        0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
        0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
        0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
        0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
        0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
        0xc67178f2,
    ];
    let mut state: [u32; 8] = [
        0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
    ];
    let mut padded = message.to_vec();
    padded.push(0x80);
    padded.resize((padded.len() + 8).div_ceil(64) * 64 - 8, 0);
    padded.extend((message.len() as u64 * 8).to_be_bytes());
    for block in padded.chunks_exact(64) {
        let mut w = [0u32; 64];
        for (i, word) in block.chunks_exact(4).enumerate() {
            w[i] = u32::from_be_bytes(word.try_into().unwrap());
        }
        for i in 16..64 {
            let s0 = w[i - 15].rotate_right(7) ^ w[i - 15].rotate_right(18) ^ (w[i - 15] >> 3);
            let s1 = w[i - 2].rotate_right(17) ^ w[i - 2].rotate_right(19) ^ (w[i - 2] >> 10);
            w[i] = w[i - 16].wrapping_add(s0).wrapping_add(w[i - 7]).wrapping_add(s1);
        }
        let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = state;
        for i in 0..64 {
            let s1 = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
            let t1 = h.wrapping_add(s1).wrapping_add((e & f) ^ (!e & g)).wrapping_add(K[i]).wrapping_add(w[i]);
            let s0 = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
            let t2 = s0.wrapping_add((a & b) ^ (a & c) ^ (b & c));
            (h, g, f, e, d, c, b, a) = (g, f, e, d.wrapping_add(t1), c, b, a, t1.wrapping_add(t2));
        }
        for (word, add) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
            *word = word.wrapping_add(add);
        }
    }
    let mut hash = [0; 32];
    for (bytes, word) in hash.chunks_exact_mut(4).zip(state) {
        bytes.copy_from_slice(&word.to_be_bytes());
    }
    hash
}

fn from_base64(text: &str) -> Option<Vec<u8>> {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bytes, mut bits, mut held) = (Vec::new(), 0u32, 0);
    for digit in text.trim_end_matches('=').bytes() {
        bits = bits << 6 | DIGITS.iter().position(|&each| each == digit)? as u32;
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held) as u8);
        }
    }
    Some(bytes)
}
