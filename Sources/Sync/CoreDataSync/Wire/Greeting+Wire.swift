extension SyncGreeting: WireMessage {
  // | 0 application | 1 replica | 2 zones | 3 schema |
  func write(to writer: inout WireWriter) {
    writer.fields {
      $0.field(0) { $0.body.text(application) }
      $0.field(1) { $0.replica(replica) }
      $0.list(2, zones) { $0.name($1) }
      $0.field(3) { schema.write(to: &$0) }
    }
  }

  init(from reader: inout WireReader) throws {
    var (application, replica, schema): (String?, ReplicaID?, SyncSchema?)
    var zones: [String] = []
    try reader.fields { reader, field in
      switch field {
      case 0: application = try reader.body.text(most: WireReader.longestName)
      case 1: replica = try reader.replica()
      case 2: zones = try reader.list { try $0.name() }
      case 3: schema = try SyncSchema(from: &reader)
      default: return false
      }
      return true
    }
    self.init(
      application: application ?? "", replica: try reader.require(replica, named: "replica"),
      zones: zones, schema: try reader.require(schema, named: "schema"))
  }
}

extension SyncWelcome: WireMessage {
  // | 0 now | 1 zones | 2 limits |
  func write(to writer: inout WireWriter) {
    writer.fields {
      $0.field(0) { $0.body.unsigned(now) }
      $0.table(1, zones) { $1.write(to: &$0) }
      $0.field(2) {
        $0.array(count: 3)
        for limit in [limits.changesPerPush, limits.bytesPerPush, limits.rowsPerPage] {
          $0.body.integer(Int64(limit))
        }
      }
    }
  }

  init(from reader: inout WireReader) throws {
    var (now, zones): (UInt64?, [String: Zone]) = (nil, [:])
    var limits = SyncLimits()
    try reader.fields { reader, field in
      switch field {
      case 0: now = try reader.body.unsigned()
      case 1: zones = try reader.table { try Zone(from: &$0) }
      case 2:
        try reader.parts(3, of: "limits")
        limits = SyncLimits(
          changesPerPush: try reader.limit(), bytesPerPush: try reader.limit(),
          rowsPerPage: try reader.limit())
      default: return false
      }
      return true
    }
    self.init(now: try reader.require(now, named: "time"), zones: zones, limits: limits)
  }
}

extension WireReader {
  fileprivate mutating func limit() throws -> Int {
    let number = try body.integer()
    guard number > 0 else { throw body.failure(.form, expected: "a limit is above zero") }
    return Int(number)
  }
}

extension SyncWelcome.Zone {
  // | 0 epoch | 1 head | 2 horizon | 3 may write | 4 read-only entities |
  func write(to writer: inout WireWriter) {
    writer.fields {
      $0.field(0) { $0.id(epoch) }
      $0.number(1, head)
      $0.number(2, horizon)
      $0.flag(3, mayWrite)
      $0.list(4, readOnly.sorted()) { $0.name($1) }
    }
  }

  init(from reader: inout WireReader) throws {
    var (epoch, head, horizon): (RecordID?, Int64?, Int64?)
    var (mayWrite, readOnly): (Bool, [String]) = (false, [])
    try reader.fields { reader, field in
      switch field {
      case 0: epoch = try reader.id()
      case 1: head = try reader.body.integer()
      case 2: horizon = try reader.body.integer()
      case 3: mayWrite = try reader.body.bool()
      case 4: readOnly = try reader.list { try $0.name() }
      default: return false
      }
      return true
    }
    self.init(
      epoch: try reader.require(epoch, named: "epoch"),
      head: try reader.require(head, named: "head"),
      horizon: try reader.require(horizon, named: "horizon"), mayWrite: mayWrite,
      readOnly: Set(readOnly))
  }
}
