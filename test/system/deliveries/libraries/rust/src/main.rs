//! WEBHOOK_SECRET=whsec_… verify BODY-FILE ID TIMESTAMP SIGNATURE
use std::{env, error::Error, fs};

use http::HeaderMap;
use standardwebhooks::Webhook;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = env::args().collect();
    let mut headers = HeaderMap::new();
    headers.insert("webhook-id", args[2].parse()?);
    headers.insert("webhook-timestamp", args[3].parse()?);
    headers.insert("webhook-signature", args[4].parse()?);
    Webhook::new(&env::var("WEBHOOK_SECRET")?)?.verify(&fs::read(&args[1])?, &headers)?;
    Ok(())
}
