//! Calls of the host: the buffer through which ockl (ROCm's device library) asks for services, and `printf`'s messages in it.
//!
//! The buffer is a structure of 64-bit fields: the addresses of the packets' headers and payloads, a signal, two stacks of packets
//! (free ones and ready ones) and the mask of an index. A wave takes a packet from the free stack, fills it, pushes it on the ready
//! stack, and spins until the host has cleared the packet's ready flag. An entry of a stack is the index of a packet, with a count
//! in the bits above the mask, and never 0.
//!
//! In newer versions of the library, the structure has the addresses of two arrays of phases, of a bit set of packets in use, of
//! headers, payloads and the signal, and the number of packets. A wave claims a packet by its bit, and sends it by a change of its
//! device phase; the host answers by the same change of its host phase. Both structures share memory until a wave reads the number of
//! packets, which it does before it reads a field that differs.

use std::collections::BTreeMap;

use isa_exec::memory::{Memory, Unmapped};

use super::format::{self, Arguments};
use super::memory::{BASE, Pages};
use super::{Printed, Stream};

/// How many packets there are: at least one for each wave of a work-group, and a power of 2.
const PACKETS: u64 = 64;
/// The size of a header: the next packet of its stack and the mask of active lanes (64 bits each), service and control (32 each).
const HEADER_BYTES: u64 = 24;
/// The size of a lane's part of a payload: eight numbers of 64 bits.
const LANE_BYTES: u64 = 64;
/// The size of a payload: 64 lanes.
const PAYLOAD_BYTES: u64 = 64 * LANE_BYTES;

/// The address of the buffer.
pub(super) const ADDRESS: u64 = BASE;
/// The offsets of the fields of the buffer with stacks.
const HEADERS: u64 = 0;
const PAYLOADS: u64 = 8;
const DOORBELL: u64 = 16;
const FREE_STACK: u64 = 24;
const READY_STACK: u64 = 32;
const INDEX_MASK: u64 = 40;

/// The offsets of fields of the buffer with phases. The arrays of phases and the bit set are at the offsets of the addresses of
/// headers, payloads and the signal in the buffer with stacks.
const PHASED_HEADERS: u64 = 24;
const PHASED_PAYLOADS: u64 = 32;
const PHASED_DOORBELL: u64 = 40;
pub(super) const PACKET_COUNT: u64 = 48;
/// The size of a header of the buffer with phases: the mask of active lanes (64 bits) and the service (32).
const PHASED_HEADER_BYTES: u64 = 16;
/// The size of a phase.
const PHASE_BYTES: u64 = 4;

/// The signal that waves ring, an `amd_signal_t` of 64 bytes: its kind, its value, and the address of a mailbox, which is null:
/// then a wave raises no interrupt.
const SIGNAL_ADDRESS: u64 = BASE + 0x40;
const HEADERS_ADDRESS: u64 = BASE + 0x100;
const PAYLOADS_ADDRESS: u64 = BASE + 0x1000;
const PHASED_SIGNAL_ADDRESS: u64 = BASE + 0x80;
const PHASED_HEADERS_ADDRESS: u64 = BASE + 0x0010_0000;
const PHASED_PAYLOADS_ADDRESS: u64 = BASE + 0x0010_1000;
/// The size of all in bytes.
pub(super) const BYTES: u64 = 0x0010_1000 + PACKETS * PAYLOAD_BYTES;

/// The number of the service that prints.
const PRINTF: u32 = 2;

/// The most 64-bit numbers of a message.
const MAX_MESSAGE: usize = 1 << 20;

/// The buffer, and the messages that have begun.
#[derive(Debug)]
pub(super) struct Hostcall {
    pages: Pages,
    messages: BTreeMap<u64, Vec<u64>>,
    next_message: u64,
    /// Whether the buffer has phases.
    is_phased: bool,
}

impl Hostcall {
    /// A buffer in which all packets are free.
    pub fn new() -> Self {
        let hostcall =
            Self { pages: Pages::new(BASE, BYTES), messages: BTreeMap::new(), next_message: 0, is_phased: false };
        let fields = [
            (HEADERS, HEADERS_ADDRESS),
            (PAYLOADS, PAYLOADS_ADDRESS),
            (DOORBELL, SIGNAL_ADDRESS),
            (FREE_STACK, PACKETS - 1),
            (READY_STACK, 0),
            (INDEX_MASK, PACKETS - 1),
            (PACKET_COUNT, PACKETS),
        ];
        for (offset, value) in fields {
            hostcall.put(ADDRESS + offset, value);
        }
        // The kind of a signal that programs wait for.
        hostcall.put(SIGNAL_ADDRESS, 1);
        for packet in 1..PACKETS {
            // The packet 0 with a count of 1, since 0 is not an entry.
            let below = if packet == 1 { PACKETS } else { packet - 1 };
            hostcall.put(header(packet), below);
        }
        hostcall
    }

    /// The memory that waves access.
    pub const fn pages(&self) -> &Pages {
        &self.pages
    }

    /// Makes it a buffer with phases, if it is not one already.
    pub fn use_phases(&mut self) {
        if core::mem::replace(&mut self.is_phased, true) {
            return;
        }
        // No packet is in use, and both phases of each are 0.
        self.put(SIGNAL_ADDRESS, 0);
        for packet in 0..PACKETS * PHASE_BYTES / 8 {
            self.put(HEADERS_ADDRESS + 8 * packet, 0);
        }
        self.put(ADDRESS + PHASED_HEADERS, PHASED_HEADERS_ADDRESS);
        self.put(ADDRESS + PHASED_PAYLOADS, PHASED_PAYLOADS_ADDRESS);
        self.put(ADDRESS + PHASED_DOORBELL, PHASED_SIGNAL_ADDRESS);
        self.put(PHASED_SIGNAL_ADDRESS, 1);
    }

    /// Serves what a wave has sent by a change of a number at an address.
    ///
    /// # Errors
    /// What the wave asks for, if there is no such service here.
    pub fn changed(&mut self, address: u64, wave: usize, printed: &mut Vec<Printed>) -> Result<(), String> {
        let phase = address.wrapping_sub(HEADERS_ADDRESS);
        if self.is_phased && phase < PACKETS * PHASE_BYTES {
            self.serve_phase(phase / PHASE_BYTES, wave, printed)
        } else if !self.is_phased && address == ADDRESS + READY_STACK {
            self.serve_stack(wave, printed)
        } else {
            Ok(())
        }
    }

    /// Serves a packet whose device phase may have changed.
    fn serve_phase(&mut self, packet: u64, wave: usize, printed: &mut Vec<Printed>) -> Result<(), String> {
        let [device, host] = [HEADERS_ADDRESS, PAYLOADS_ADDRESS].map(|phases| phases + packet * PHASE_BYTES);
        let phase = self.get(device) as u32;
        if phase != self.get(host) as u32 {
            let header = PHASED_HEADERS_ADDRESS + packet * PHASED_HEADER_BYTES;
            let (lanes, service) = (self.get(header), self.get(header + 8) as u32);
            self.serve(service, lanes, PHASED_PAYLOADS_ADDRESS + packet * PAYLOAD_BYTES, wave, printed)?;
            // The address is that of the buffer.
            let _ = self.pages.write(host, &phase.to_le_bytes());
        }
        Ok(())
    }

    fn put(&self, address: u64, number: u64) {
        // The addresses are those of the buffer.
        let _ = self.pages.write(address, &number.to_le_bytes());
    }

    fn get(&self, address: u64) -> u64 {
        let mut bytes = [0; 8];
        match self.pages.read(address, &mut bytes) {
            Ok(()) => u64::from_le_bytes(bytes),
            Err(Unmapped { .. }) => 0,
        }
    }

    /// Serves the packets of the ready stack.
    fn serve_stack(&mut self, wave: usize, printed: &mut Vec<Printed>) -> Result<(), String> {
        let mut entry = self.get(ADDRESS + READY_STACK);
        self.put(ADDRESS + READY_STACK, 0);
        let mut left = PACKETS;
        while entry != 0 && left > 0 {
            let packet = entry % PACKETS;
            let next = self.get(header(packet));
            let lanes = self.get(header(packet) + 8);
            let service_and_control = self.get(header(packet) + 16);
            let payload = PAYLOADS_ADDRESS + packet * PAYLOAD_BYTES;
            self.serve(service_and_control as u32, lanes, payload, wave, printed)?;
            // Clears the ready flag, the lowest bit of the control.
            self.put(header(packet) + 16, service_and_control & !(1 << 32));
            (entry, left) = (next, left - 1);
        }
        Ok(())
    }

    /// Serves the lanes of a packet.
    fn serve(
        &mut self,
        service: u32,
        mut lanes: u64,
        payload: u64,
        wave: usize,
        printed: &mut Vec<Printed>,
    ) -> Result<(), String> {
        while lanes != 0 {
            let lane = lanes.trailing_zeros();
            lanes &= lanes - 1;
            let at = payload + u64::from(lane) * LANE_BYTES;
            let request = core::array::from_fn(|n| self.get(at + 8 * n as u64));
            let answer = self.call(service, &request, wave, lane, printed)?;
            self.put(at, answer);
        }
        Ok(())
    }

    /// Serves the request of a lane, and returns the first number of the answer.
    fn call(
        &mut self,
        service: u32,
        request: &[u64; 8],
        wave: usize,
        lane: u32,
        printed: &mut Vec<Printed>,
    ) -> Result<u64, String> {
        match service {
            PRINTF => self.message(request, wave, lane, printed),
            1 => Err(format!("it calls a function of the host, at {:#x}; there is no host program", request[0])),
            3 => Err("it asks the host for memory (malloc in a kernel); there is no heap of the device".into()),
            4 => Err("it reports an invalid access to the address sanitizer of the host, which is not here".into()),
            _ => Err(format!("it asks for the service {service} of the host, which is unknown")),
        }
    }

    /// Takes a part of a message, and prints a message that is complete. Returns the descriptor of the message, or the number of
    /// bytes of its text.
    fn message(
        &mut self,
        request: &[u64; 8],
        wave: usize,
        lane: u32,
        printed: &mut Vec<Printed>,
    ) -> Result<u64, String> {
        // The descriptor: BEGIN and END, how many numbers follow (bits 7:5), and the message's number from bit 8 on.
        const BEGIN: u64 = 1;
        const END: u64 = 2;
        let [descriptor, numbers @ ..] = request;
        let count = (descriptor >> 5 & 7) as usize;
        let mut id = descriptor >> 8;
        if descriptor & BEGIN != 0 {
            id = self.next_message;
            self.next_message = (id + 1) & (u64::MAX >> 8);
            self.messages.insert(id, Vec::new());
        }
        let message = self.messages.get_mut(&id).ok_or("it continues a message to the host that has not begun")?;
        message.extend(numbers.iter().take(count));
        if message.len() > MAX_MESSAGE {
            return Err("its message to the host is longer than 8 MiB".into());
        }
        if descriptor & END == 0 {
            return Ok(descriptor & !BEGIN & 0xFF | id << 8);
        }
        let message = self.messages.remove(&id).unwrap_or_default();
        // The first number selects the stream: its lowest bit is standard error.
        let (control, numbers) = message.split_first().ok_or("its message to the host is empty")?;
        let stream = match control {
            0 => Stream::Stdout,
            1 => Stream::Stderr,
            _ => return Err(format!("its message to the host has the unknown control {control:#x}")),
        };
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        let text = text_of(&bytes);
        let length = text.len() as u64;
        printed.push(Printed { wave, lane: Some(lane), stream, text });
        Ok(length)
    }
}

/// The address of the header of a packet.
const fn header(packet: u64) -> u64 {
    HEADERS_ADDRESS + packet * HEADER_BYTES
}

/// The text of a call: its format, and its arguments of a multiple of 8 bytes each.
pub(super) fn text_of(bytes: &[u8]) -> Vec<u8> {
    let mut arguments = Qwords(bytes);
    let format = arguments.string().unwrap_or_default().to_vec();
    let mut text = Vec::new();
    format::format(&mut text, &format, &mut arguments);
    text
}

/// Arguments of a multiple of 8 bytes each: numbers of 64 bits, and strings that end with a zero.
pub(super) struct Qwords<'a>(pub &'a [u8]);

impl Arguments for Qwords<'_> {
    fn next(&mut self, _elements: usize) -> Option<(&[u8], usize)> {
        let (argument, rest) = self.0.split_at_checked(8)?;
        self.0 = rest;
        Some((argument, 8))
    }

    fn string(&mut self) -> Option<&[u8]> {
        if self.0.is_empty() {
            return None;
        }
        let length = self.0.iter().position(|byte| *byte == 0).unwrap_or(self.0.len());
        let end = (length + 1).next_multiple_of(8).min(self.0.len());
        let (argument, rest) = self.0.split_at_checked(end)?;
        self.0 = rest;
        argument.get(..length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sends a packet with one lane, as ockl does, and returns the first number of the answer.
    fn send(hostcall: &mut Hostcall, service: u32, numbers: &[u64], printed: &mut Vec<Printed>) -> Result<u64, String> {
        let entry = hostcall.get(ADDRESS + FREE_STACK);
        let packet = entry & hostcall.get(ADDRESS + INDEX_MASK);
        hostcall.put(ADDRESS + FREE_STACK, hostcall.get(header(packet)));
        hostcall.put(header(packet) + 8, 1 << 5);
        hostcall.put(header(packet) + 16, 1 << 32 | u64::from(service));
        let payload = hostcall.get(ADDRESS + PAYLOADS) + packet * PAYLOAD_BYTES + 5 * LANE_BYTES;
        for (number, n) in numbers.iter().zip(0..) {
            hostcall.put(payload + 8 * n, *number);
        }
        hostcall.put(header(packet), 0);
        hostcall.put(ADDRESS + READY_STACK, entry);
        hostcall.changed(ADDRESS + READY_STACK, 3, printed)?;
        assert_eq!(hostcall.get(header(packet) + 16), service.into(), "the ready flag is cleared");
        let entry = entry + PACKETS;
        hostcall.put(header(packet), hostcall.get(ADDRESS + FREE_STACK));
        hostcall.put(ADDRESS + FREE_STACK, entry);
        Ok(hostcall.get(payload))
    }

    fn qwords(text: &[u8]) -> Vec<u64> {
        text.chunks(8).map(|chunk| chunk.iter().rev().fold(0, |n, byte| n << 8 | u64::from(*byte))).collect()
    }

    #[test]
    fn all_packets_are_free_once() {
        let hostcall = Hostcall::new();
        let mut entry = hostcall.get(ADDRESS + FREE_STACK);
        let mut seen = 0_u64;
        while entry != 0 {
            seen |= 1 << (entry % PACKETS);
            entry = hostcall.get(header(entry % PACKETS));
        }
        assert_eq!(seen, u64::MAX);
    }

    #[test]
    fn messages_in_parts_are_printed() {
        let (mut hostcall, mut printed) = (Hostcall::new(), Vec::new());
        for round in 0..200 {
            let descriptor = send(&mut hostcall, PRINTF, &[1 | 1 << 5, 1], &mut printed).expect("begins");
            assert_eq!(descriptor, 1 << 5 | round << 8);
            let part = |flags: u64, count: usize| descriptor & !0xFF | flags | (count as u64) << 5;
            let format = qwords(b"%s is %d, %.1f\n\0");
            let numbers = [vec![part(0, format.len())], format].concat();
            send(&mut hostcall, PRINTF, &numbers, &mut printed).expect("goes on");
            let name = qwords(b"a longer name\0");
            let numbers = [vec![part(0, name.len())], name].concat();
            send(&mut hostcall, PRINTF, &numbers, &mut printed).expect("goes on");
            let length =
                send(&mut hostcall, PRINTF, &[part(2, 2), round, 0.5_f64.to_bits()], &mut printed).expect("ends");
            let expected = format!("a longer name is {round}, 0.5\n");
            assert_eq!(length, expected.len() as u64);
            let last = Printed { wave: 3, lane: Some(5), stream: Stream::Stderr, text: expected.into() };
            assert_eq!(printed.pop(), Some(last));
        }
    }

    #[test]
    fn a_buffer_with_phases_is_served() {
        let (mut hostcall, mut printed) = (Hostcall::new(), Vec::new());
        let early = [0, 8, 16].map(|offset| hostcall.get(ADDRESS + offset));
        hostcall.use_phases();
        let [device, host, occupied] = [0, 8, 16].map(|offset| hostcall.get(ADDRESS + offset));
        assert_eq!([device, host, occupied], early, "a wave may have read them before");
        assert_eq!((hostcall.get(ADDRESS + PACKET_COUNT), hostcall.get(occupied)), (PACKETS, 0));
        let [headers, payloads] = [24, 32].map(|offset| hostcall.get(ADDRESS + offset));
        for (packet, phase) in [(0, 1_u32), (63, 1), (0, 0), (5, 1)] {
            assert_eq!(hostcall.get(device + 4 * packet) as u32, hostcall.get(host + 4 * packet) as u32);
            hostcall.put(headers + 16 * packet, 1 << 33);
            hostcall.put(headers + 16 * packet + 8, PRINTF.into());
            let message = [vec![3 | 3 << 5, 0], qwords(b"%d\n\0"), vec![packet]].concat();
            for (number, n) in message.iter().zip(0..) {
                hostcall.put(payloads + PAYLOAD_BYTES * packet + 33 * LANE_BYTES + 8 * n, *number);
            }
            hostcall.pages.write(device + 4 * packet, &phase.to_le_bytes()).expect("mapped");
            hostcall.changed(device + 4 * packet, 2, &mut printed).expect("served");
            assert_eq!(hostcall.get(host + 4 * packet) as u32, phase);
            let text = format!("{packet}\n").into();
            assert_eq!(printed.pop(), Some(Printed { wave: 2, lane: Some(33), stream: Stream::Stdout, text }));
            // The same once more sends nothing.
            hostcall.changed(device + 4 * packet, 2, &mut printed).expect("nothing to serve");
            assert_eq!(printed, []);
        }
    }

    #[test]
    fn other_requests_are_named() {
        let (mut hostcall, mut printed) = (Hostcall::new(), Vec::new());
        for (service, number, expected) in [
            (1, 0x1234, "it calls a function of the host, at 0x1234"),
            (2, 7 << 8, "it continues a message to the host that has not begun"),
            (2, 3, "its message to the host is empty"),
            (3, 0, "it asks the host for memory"),
            (4, 0, "it reports an invalid access"),
            (9, 0, "it asks for the service 9 of the host"),
        ] {
            let error = Hostcall::new().call(service, &[number; 8], 0, 0, &mut printed).expect_err("no service");
            assert!(error.starts_with(expected), "{error}");
        }
        // A damaged stack does not keep the host busy.
        hostcall.put(header(1), 1);
        hostcall.put(ADDRESS + READY_STACK, 1);
        assert_eq!(hostcall.serve_stack(0, &mut printed), Ok(()));
        assert_eq!(printed, []);
    }
}
