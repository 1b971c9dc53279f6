import Foundation

/// Reads what `WireWriter` writes, from anybody.
struct WireReader {
  var body: CBORReader
  private var names: [String] = []
  private var replicas: [ReplicaID] = []
  private var time: UInt64 = 0

  /// The most names of a message, and bytes of a name.
  static let mostNames = 10_000
  static let longestName = 256
  /// The most elements of all lists and tables of a message: they take more room in memory than
  /// their bytes.
  static let mostElements = 1_000_000
  private var elements = 0

  init(_ data: Data) throws {
    body = CBORReader([UInt8](data))
    guard try body.array() == 5 else {
      throw body.failure(.form, expected: "a message has five parts")
    }
    let number = try body.unsigned()
    guard number == SyncGreeting.protocolNumber else {
      throw SyncWireError(
        .protocolNumber,
        "Protocol \(number) is not spoken here; \(SyncGreeting.protocolNumber) is the lowest and the "
          + "highest that is.")
    }
    for _ in 0..<(try body.array(most: Self.mostNames)) {
      names.append(try body.text(most: Self.longestName))
    }
    for _ in 0..<(try body.array(most: Self.mostNames)) {
      replicas.append(ReplicaID(try body.unsigned()))
    }
    time = try body.unsigned()
  }

  func finish() throws {
    guard body.isAtEnd else {
      throw body.failure(.length, expected: "the message goes on after its end")
    }
  }

  // MARK: - Fields

  /// Reads a map of fields: `read` says whether it has read the field of this number.
  mutating func fields(_ read: (inout WireReader, UInt64) throws -> Bool) throws {
    var last: UInt64?
    for _ in 0..<(try body.map()) {
      let key = try body.unsigned()
      guard last.map({ $0 < key }) ?? true else {
        throw body.failure(.form, expected: "the fields of a map ascend")
      }
      last = key
      if try !read(&self, key) { try body.skip() }
    }
  }

  mutating func list<Element>(
    _ read: (inout WireReader) throws -> Element
  ) throws -> [Element] {
    let count = try body.array()
    try note(elements: count)
    var elements: [Element] = []
    // An element is larger in memory than its byte: room is made as elements come.
    elements.reserveCapacity(min(count, 256))
    for _ in 0..<count { elements.append(try read(&self)) }
    return elements
  }

  mutating func table<Value>(
    _ read: (inout WireReader) throws -> Value
  ) throws -> [String: Value] {
    let count = try body.array()
    guard count % 2 == 0 else {
      throw body.failure(.form, expected: "a table has a value for each name")
    }
    try note(elements: count / 2)
    var values: [String: Value] = [:]
    for _ in 0..<count / 2 {
      let name = try name()
      guard values.updateValue(try read(&self), forKey: name) == nil else {
        throw body.failure(.form, expected: "a table has each name once")
      }
    }
    return values
  }

  private mutating func note(elements count: Int) throws {
    elements += count
    guard elements <= Self.mostElements else {
      throw body.failure(.limit, expected: "a message has at most \(Self.mostElements) elements")
    }
  }

  func require<Value>(_ value: Value?, named name: String) throws -> Value {
    guard let value else { throw body.failure(.missing, expected: "the message has no \(name)") }
    return value
  }

  // MARK: - Items

  mutating func name() throws -> String {
    let number = try body.unsigned()
    guard number < UInt64(names.count) else {
      throw body.failure(.form, expected: "there is no such name")
    }
    return names[Int(number)]
  }

  mutating func replica() throws -> ReplicaID {
    let number = try body.unsigned()
    guard number < UInt64(replicas.count) else {
      throw body.failure(.form, expected: "there is no such replica")
    }
    return replicas[Int(number)]
  }

  mutating func id() throws -> RecordID {
    let bytes = try body.data(most: 16)
    guard bytes.count == 16 else { throw body.failure(.form, expected: "an ID has 16 bytes") }
    return RecordID(bytes: bytes)
  }

  mutating func clock() throws -> Clock {
    let ticks = UInt64(bitPattern: try body.integer()) &+ time
    return Clock(ticks: ticks, replica: try replica())
  }

  mutating func parts(_ count: Int, of name: String) throws {
    guard try body.array() == count else {
      throw body.failure(.form, expected: "\(name) has \(count) parts")
    }
  }

  mutating func life() throws -> Life {
    try parts(3, of: "a life")
    let clock = try clock()
    return Life(isDead: try body.bool(), clock: clock)
  }

  mutating func register() throws -> Register {
    try parts(3, of: "a register")
    let clock = try clock()
    return Register(clock: clock, value: try value())
  }

  mutating func fact() throws -> Fact {
    try parts(3, of: "a fact")
    let property = try name()
    let name = try id()
    let amount = try value()
    switch amount {
    case .integer, .double, .decimal: return Fact(property: property, name: name, amount: amount)
    default: throw body.failure(.form, expected: "a fact adds a number")
    }
  }

  mutating func pair() throws -> PairChange {
    try parts(6, of: "a pair")
    let pair = Pair(relationship: try name(), first: try id(), second: try id())
    let clock = try clock()
    return PairChange(pair: pair, clock: clock, isOn: try body.bool())
  }
}
