extension PullRequest: WireMessage {
  // | 0 zone | 1 cursor | 2 base | 3 safe | 4 epoch | 5 limit | 6 wanted |
  func write(to writer: inout WireWriter) {
    writer.fields {
      $0.field(0) { $0.name(zone) }
      $0.number(1, cursor)
      $0.number(2, base)
      $0.number(3, safe)
      $0.field(4, epoch) { $0.id($1) }
      $0.number(5, Int64(limit))
      $0.list(6, wanted) { $0.id($1) }
    }
  }

  init(from reader: inout WireReader) throws {
    var (zone, limit): (String?, Int64?)
    var (cursor, base, safe): (Int64?, Int64?, Int64?)
    var (epoch, wanted): (RecordID?, [RecordID]) = (nil, [])
    try reader.fields { reader, field in
      switch field {
      case 0: zone = try reader.name()
      case 1: cursor = try reader.body.integer()
      case 2: base = try reader.body.integer()
      case 3: safe = try reader.body.integer()
      case 4: epoch = try reader.id()
      case 5: limit = try reader.body.integer()
      case 6: wanted = try reader.list { try $0.id() }
      default: return false
      }
      return true
    }
    self.init(
      zone: try reader.require(zone, named: "zone"),
      cursor: try reader.require(cursor, named: "cursor"),
      base: try reader.require(base, named: "base"), safe: try reader.require(safe, named: "safe"),
      epoch: epoch, limit: Int(try reader.require(limit, named: "limit")), wanted: wanted)
  }
}
