//! A wire between a worker and the hub that can be cut: a proxy on this machine.

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::Result;

/// A wire.
pub struct Wire {
    /// Where the worker comes in.
    pub port: u16,
    cut: Arc<AtomicBool>,
}

impl Wire {
    /// A wire to a port of this machine.
    pub fn to(target: u16) -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let port = listener.local_addr()?.port();
        let cut = Arc::new(AtomicBool::new(false));
        let is_cut = cut.clone();
        std::thread::spawn(move || {
            for near in listener.incoming().map_while(Result::ok) {
                if is_cut.load(Ordering::Relaxed) {
                    continue;
                }
                let Ok(far) = TcpStream::connect(("127.0.0.1", target)) else { continue };
                for ends in
                    [(near.try_clone(), far.try_clone()), (far.try_clone(), near.try_clone())]
                {
                    if let ((Ok(from), Ok(to)), cut) = (ends, is_cut.clone()) {
                        std::thread::spawn(move || copy(from, to, &cut));
                    }
                }
            }
        });
        Ok(Self { port, cut })
    }

    /// Cuts it for so long.
    pub fn cut_for(&self, time: Duration) {
        let cut = self.cut.clone();
        cut.store(true, Ordering::Relaxed);
        std::thread::spawn(move || {
            std::thread::sleep(time);
            cut.store(false, Ordering::Relaxed);
        });
    }
}

fn copy(mut from: TcpStream, mut to: TcpStream, cut: &AtomicBool) {
    let _ = from.set_read_timeout(Some(Duration::from_millis(50)));
    let mut buffer = [0; 16 << 10];
    while !cut.load(Ordering::Relaxed) {
        match from.read(&mut buffer) {
            Ok(0) => break,
            Ok(n) if to.write_all(&buffer[..n]).is_err() => break,
            Err(e) if !matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => break,
            _ => {}
        }
    }
    let _ = to.shutdown(Shutdown::Both);
    let _ = from.shutdown(Shutdown::Both);
}
