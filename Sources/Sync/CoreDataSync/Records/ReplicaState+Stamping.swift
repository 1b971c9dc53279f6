extension Clock {
  /// The ticks of a time in milliseconds since 1970.
  static func ticks(_ milliseconds: Int64) -> UInt64 { UInt64(max(0, milliseconds)) << 16 }
}

extension ReplicaState {
  /// A new clock for an edit that was made at this time, in the server's milliseconds: later than
  /// every clock before, and than the one that the edit overwrites.
  mutating func stamp(at time: Int64, over old: Clock? = nil) -> Clock {
    let ticks = max(
      standing.lastTicks &+ 1, Clock.ticks(time), old.map { $0.ticks &+ 1 } ?? 0)
    standing.lastTicks = ticks
    return Clock(ticks: ticks, replica: standing.replica)
  }

  /// Gives everything unsent a clock that nobody else has: a twin of this replica may have used the
  /// same for other values.
  mutating func restamp() {
    func later(_ clock: Clock) -> Clock {
      Clock(ticks: clock.ticks &+ 1, replica: standing.replica)
    }
    for id in unsentRecords {
      guard var record = self[id] else { continue }
      for register in record.unsentRegisters {
        record.clocks[register] = record.clocks[register].map(later)
      }
      if record.isLifeUnsent { record.life.clock = later(record.life.clock) }
      self[id] = record
    }
    for pair in unsentPairs {
      guard var state = self[pair] else { continue }
      state.clock = later(state.clock)
      self[pair] = state
    }
  }

  /// Learns the server's time. `now` is this device's.
  mutating func noteTime(_ serverTime: UInt64, now: Int64) {
    // A clock has 48 bits for it.
    let server = Int64(min(serverTime, 1 << 47))
    standing.offset = server - now
    if standing.lastTicks > Clock.ticks(server + 300_000) {
      standing.lastTicks = Clock.ticks(server)
    }
  }

  /// Puts a pair on or off, later than whatever was said of it before.
  mutating func setPair(_ pair: Pair, on isOn: Bool, at time: Int64) {
    let pair = canonical(pair)
    let last = pairs(of: pair.first).filter { resolve($0) == resolve(pair) }
      .compactMap { self[$0]?.clock }.max()
    let clock = stamp(at: time, over: last)
    self[pair] = ReplicaPair(clock: clock, isOn: isOn, isUnsent: true, seen: self[pair]?.seen)
  }
}
