import Foundation

/// Writes a message: CBOR, in which names, replicas and times are numbers of tables at its head.
///
///     message   [protocol, [name, …], [replica, …], time, body]
///     body      {field: …}; fields that a reader does not know are skipped
///     name      its number in the first table
///     clock     ticks less the message's time, the replica's number in the second table
///     register  [clock's two numbers, value]
///     ID        16 bytes
///
/// The tables have what the body uses, in the order of use: a message has one form.
struct WireWriter {
  var body = CBORWriter()
  private var names = Table<String>()
  private var replicas = Table<ReplicaID>()
  private var time: UInt64?

  private struct Table<Element: Hashable> {
    var elements: [Element] = []
    private var numbers: [Element: Int] = [:]

    mutating func number(of element: Element) -> UInt64 {
      if let number = numbers[element] { return UInt64(number) }
      numbers[element] = elements.count
      elements.append(element)
      return UInt64(elements.count - 1)
    }
  }

  func message(protocolNumber: Int = SyncGreeting.protocolNumber) -> [UInt8] {
    var all = CBORWriter()
    all.array(count: 5)
    all.unsigned(UInt64(protocolNumber))
    all.array(count: names.elements.count)
    for name in names.elements { all.text(name) }
    all.array(count: replicas.elements.count)
    for replica in replicas.elements { all.unsigned(replica.number) }
    all.unsigned(time ?? 0)
    all.raw(body.bytes)
    return all.bytes
  }

  // MARK: - Fields

  mutating func fields(_ write: (inout WireWriter) -> Void) {
    let mark = body.beginFields()
    write(&self)
    body.endFields(mark)
  }

  mutating func field(_ key: UInt64, _ write: (inout WireWriter) -> Void) {
    body.field(key)
    write(&self)
  }

  /// A field that is left out without a value.
  mutating func field<Value>(
    _ key: UInt64, _ value: Value?, _ write: (inout WireWriter, Value) -> Void
  ) {
    guard let value else { return }
    body.field(key)
    write(&self, value)
  }

  /// A field that is left out when it is empty.
  mutating func list<Element>(
    _ key: UInt64, _ elements: [Element], _ write: (inout WireWriter, Element) -> Void
  ) {
    guard !elements.isEmpty else { return }
    body.field(key)
    body.array(count: elements.count)
    for element in elements { write(&self, element) }
  }

  /// By name, in the names' order.
  mutating func table<Value>(
    _ key: UInt64, _ values: [String: Value], _ write: (inout WireWriter, Value) -> Void
  ) {
    guard !values.isEmpty else { return }
    body.field(key)
    body.array(count: values.count * 2)
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      self.name(name)
      write(&self, value)
    }
  }

  mutating func number(_ key: UInt64, _ value: Int64) {
    body.field(key)
    body.integer(value)
  }

  mutating func flag(_ key: UInt64, _ value: Bool) {
    guard value else { return }
    body.field(key)
    body.bool(true)
  }

  // MARK: - Items

  mutating func array(count: Int) { body.array(count: count) }

  mutating func name(_ name: String) { body.unsigned(names.number(of: name)) }

  mutating func replica(_ replica: ReplicaID) { body.unsigned(replicas.number(of: replica)) }

  mutating func id(_ id: RecordID) { body.data(id.bytes) }

  /// Two items.
  mutating func clock(_ clock: Clock) {
    let start = time ?? clock.ticks
    time = start
    body.integer(Int64(bitPattern: clock.ticks &- start))
    replica(clock.replica)
  }

  mutating func life(_ life: Life) {
    body.array(count: 3)
    clock(life.clock)
    body.bool(life.isDead)
  }

  mutating func register(_ register: Register) {
    body.array(count: 3)
    clock(register.clock)
    value(register.value)
  }

  mutating func fact(_ fact: Fact) {
    body.array(count: 3)
    name(fact.property)
    id(fact.name)
    value(fact.amount)
  }

  mutating func pair(_ change: PairChange) {
    body.array(count: 6)
    name(change.pair.relationship)
    id(change.pair.first)
    id(change.pair.second)
    clock(change.clock)
    body.bool(change.isOn)
  }
}

extension RecordID {
  var bytes: [UInt8] {
    [high, low].flatMap { word in
      (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - UInt64($0) * 8)) }
    }
  }

  init(bytes: some Collection<UInt8>) {
    let high = bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let low = bytes.dropFirst(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    self.init(high: high, low: low)
  }
}
