//! The five sockets of a kernel, attended to while it evaluates: the heartbeat answers, and what interrupts
//! or ends the kernel waits for nothing.

use crate::answers::{self, Outgoing};
use crate::message::Message;
use serde_json::{Value, json};
use std::process;
use std::sync::mpsc::Sender;
use std::time::Duration;
use tokio::sync::mpsc::Receiver;
use vjp_tensor::budget;
use zeromq::{PubSocket, RepSocket, RouterSocket, Socket, SocketRecv, SocketSend, ZmqError};

/// Where the two sides meet, as the file says that Jupyter passes.
pub struct Connection {
    address: String,
    pub key: String,
    ports: Value,
}

impl Connection {
    /// Why the text is no connection file, if it is none.
    pub fn read(text: &str) -> Result<Connection, String> {
        let all: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let word = |name: &str| all[name].as_str().unwrap_or_default().to_owned();
        let (transport, ip, key) = (word("transport"), word("ip"), word("key"));
        if transport != "tcp" {
            return Err(format!("the transport {transport} is not tcp"));
        }
        let scheme = word("signature_scheme");
        if !key.is_empty() && scheme != "hmac-sha256" {
            return Err(format!("messages are signed by {scheme}, not by hmac-sha256"));
        }
        Ok(Connection { address: format!("{transport}://{ip}"), key, ports: all })
    }

    async fn open<S: Socket>(&self, name: &str) -> Result<S, ZmqError> {
        let mut socket = S::new();
        let port = &self.ports[format!("{name}_port")];
        socket.bind(&format!("{}:{port}", self.address)).await?;
        Ok(socket)
    }
}

/// So long what was sent last may take on its way.
const LAST: Duration = Duration::from_millis(100);

/// How often is looked whether whoever started the kernel is still there.
const LOOK: Duration = Duration::from_secs(1);

/// Serves until the kernel is to end, and ends the process then.
///
/// # Errors
/// A socket cannot be opened.
pub async fn serve(
    connection: Connection,
    requests: Sender<Message>,
    mut outgoing: Receiver<Outgoing>,
) -> Result<(), ZmqError> {
    let mut shell: RouterSocket = connection.open("shell").await?;
    let mut control: RouterSocket = connection.open("control").await?;
    let mut input: RouterSocket = connection.open("stdin").await?;
    let mut heart: RepSocket = connection.open("hb").await?;
    let mut told: PubSocket = connection.open("iopub").await?;
    let key = &connection.key;
    let parent = rustix::process::getppid();
    let mut look = tokio::time::interval(LOOK);
    loop {
        tokio::select! {
            Ok(frames) = shell.recv() => {
                let Some(request) = Message::read(frames, key) else { continue };
                if request.kind() == "shutdown_request" {
                    let _ = shell.send(request.reply(ended(&request)).written(key)).await;
                    break;
                }
                if requests.send(request).is_err() {
                    break;
                }
            }
            Ok(frames) = control.recv() => {
                let Some(request) = Message::read(frames, key) else { continue };
                let content = match request.kind() {
                    "interrupt_request" => {
                        budget::interrupt();
                        json!({"status": "ok"})
                    }
                    "shutdown_request" => ended(&request),
                    "kernel_info_request" => answers::about(),
                    _ => continue,
                };
                for state in ["busy", "idle"] {
                    let _ = told.send(answers::status(&request, state).written(key)).await;
                }
                let _ = control.send(request.reply(content).written(key)).await;
                if request.kind() == "shutdown_request" {
                    break;
                }
            }
            Ok(beat) = heart.recv() => {
                let _ = heart.send(beat).await;
            }
            Ok(_) = input.recv() => {}
            Some(first) = outgoing.recv() => {
                for next in gathered(first, &mut outgoing) {
                    let _ = match next {
                        Outgoing::Reply(message) => shell.send(message.written(key)).await,
                        Outgoing::Told(message) => told.send(message.written(key)).await,
                    };
                }
            }
            _ = look.tick() => {
                if rustix::process::getppid() != parent {
                    break;
                }
            }
        }
    }
    tokio::time::sleep(LAST).await;
    process::exit(0)
}

fn ended(request: &Message) -> Value {
    json!({"status": "ok", "restart": request.content["restart"]})
}

/// What waits to be sent; prints that follow each other are one.
fn gathered(first: Outgoing, more: &mut Receiver<Outgoing>) -> Vec<Outgoing> {
    let mut all = vec![first];
    while let Ok(next) = more.try_recv() {
        if let (Some(Outgoing::Told(last)), Outgoing::Told(next)) = (all.last_mut(), &next)
            && joined(last, next)
        {
            continue;
        }
        all.push(next);
    }
    all
}

/// Adds a print to the one before, where both are of one cell and stream.
fn joined(last: &mut Message, next: &Message) -> bool {
    let print = |message: &Message| message.kind() == "stream";
    let same = print(last)
        && print(next)
        && last.content["name"] == next.content["name"]
        && last.parent == next.parent;
    if same
        && let (Value::String(text), Some(more)) =
            (&mut last.content["text"], next.content["text"].as_str())
    {
        text.push_str(more);
        return true;
    }
    false
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn prints_of_one_cell_are_joined() {
        let cell = |id: &str| Message {
            to: Vec::new(),
            header: json!({"msg_id": id, "msg_type": "execute_request"}),
            parent: json!({}),
            content: json!({}),
        };
        let print = |cell: &Message, name: &str, text: &str| {
            Outgoing::Told(cell.told("stream", json!({"name": name, "text": text})))
        };
        let (one, two) = (cell("1"), cell("2"));
        let (sender, mut receiver) = tokio::sync::mpsc::channel(9);
        for next in
            [print(&one, "stdout", "b"), print(&one, "stderr", "c"), print(&two, "stderr", "d")]
        {
            sender.try_send(next).unwrap();
        }
        let all = gathered(print(&one, "stdout", "a"), &mut receiver);
        let texts: Vec<_> = all
            .iter()
            .map(|out| match out {
                Outgoing::Told(message) => message.content["text"].as_str().unwrap(),
                Outgoing::Reply(_) => "",
            })
            .collect();
        assert_eq!(texts, ["ab", "c", "d"]);
    }
}
