//! Messages of Jupyter: on the wire they are frames, signed with the key that both sides know.

use hmac_sha256::HMAC;
use serde_json::{Value, json};
use std::fmt::Write;
use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;
use zeromq::ZmqMessage;

/// The version of the protocol.
pub const VERSION: &str = "5.3";

/// Between the addresses and the message.
const DELIMITER: &[u8] = b"<IDS|MSG>";

/// A message and where it goes.
#[derive(Clone, Debug)]
pub struct Message {
    /// The addresses of who sent it; on the channel that everybody hears, the topic.
    pub to: Vec<Vec<u8>>,
    pub header: Value,
    pub parent: Value,
    pub content: Value,
}

impl Message {
    /// None for what is no message, or was signed with another key.
    pub fn read(frames: ZmqMessage, key: &str) -> Option<Message> {
        let mut frames = frames.into_vec().into_iter();
        let to = frames.by_ref().map(|frame| frame.to_vec());
        let to = to.take_while(|frame| frame != DELIMITER).collect();
        let signature = frames.next()?;
        let parts: Vec<_> = frames.take(4).collect();
        if signed(key, &parts).as_bytes() != &signature[..] {
            return None;
        }
        let mut parts = parts.iter().map(|part| serde_json::from_slice(part).ok());
        let (header, parent) = (parts.next()??, parts.next()??);
        parts.next()??;
        Some(Message { to, header, parent, content: parts.next()?? })
    }

    /// As frames.
    pub fn written(&self, key: &str) -> ZmqMessage {
        let parts = [&self.header, &self.parent, &json!({}), &self.content];
        let parts = parts.map(|part| part.to_string().into_bytes());
        let mut frames = self.to.clone();
        frames.push(DELIMITER.to_vec());
        frames.push(signed(key, &parts).into_bytes());
        frames.extend(parts);
        let mut frames = frames.into_iter();
        let mut message = ZmqMessage::from(frames.next().unwrap_or_default());
        frames.for_each(|frame| message.push_back(frame.into()));
        message
    }

    pub fn kind(&self) -> &str {
        self.header["msg_type"].as_str().unwrap_or_default()
    }

    /// A message that this one is the cause of, to whoever sent this.
    pub fn answer(&self, kind: &str, content: Value) -> Message {
        Message {
            to: self.to.clone(),
            header: header(kind, &self.header),
            parent: self.header.clone(),
            content,
        }
    }

    /// The answer to a request: `execute_reply` to `execute_request`.
    pub fn reply(&self, content: Value) -> Message {
        self.answer(&self.kind().replace("_request", "_reply"), content)
    }

    /// A message that everybody hears.
    pub fn told(&self, kind: &str, content: Value) -> Message {
        Message { to: vec![kind.as_bytes().to_vec()], ..self.answer(kind, content) }
    }
}

fn header(kind: &str, cause: &Value) -> Value {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    json!({
        "msg_id": format!("{:016x}-{count}", RandomState::new().hash_one(count)),
        "session": cause["session"],
        "username": "vjp",
        "date": humantime::format_rfc3339_micros(SystemTime::now()).to_string(),
        "msg_type": kind,
        "version": VERSION,
    })
}

/// The signature of the parts; empty where there is no key.
fn signed(key: &str, parts: &[impl AsRef<[u8]>]) -> String {
    if key.is_empty() {
        return String::new();
    }
    let mut hash = HMAC::new(key.as_bytes());
    parts.iter().for_each(|part| hash.update(part));
    hash.finalize().iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_read_as_it_was_written_and_by_its_key_alone() {
        let request = Message {
            to: vec![b"somebody".to_vec()],
            header: json!({"msg_type": "execute_request", "session": "s"}),
            parent: json!({}),
            content: json!({"code": "∂"}),
        };
        let reply = request.reply(json!({"status": "ok"}));
        assert_eq!(reply.kind(), "execute_reply");
        let read = Message::read(reply.written("key"), "key").unwrap();
        assert_eq!((read.to, read.parent), (request.to, request.header));
        assert_eq!(read.content, json!({"status": "ok"}));
        assert!(Message::read(reply.written("key"), "other").is_none());
        assert!(Message::read(reply.written(""), "").is_some());
        assert!(Message::read(ZmqMessage::from("nothing"), "key").is_none());
    }

    #[test]
    fn signatures_are_those_of_everybody() {
        // RFC 4231, test case 2.
        assert!(
            signed("Jefe", &["what do ya want ", "for nothing?"]).starts_with("5bdcc146bf60754e")
        );
    }
}
