extension PushMessage: WireMessage {
  // | 0 zone | 1 ID | 2 replica | 3 previous | 4 epoch | 5 safe | 6 records | 7 pairs | 8 aliases |
  func write(to writer: inout WireWriter) {
    writer.fields {
      $0.field(0) { $0.name(zone) }
      $0.field(1) { $0.id(id) }
      $0.field(2) { $0.replica(replica) }
      $0.field(3, previous) { $0.id($1) }
      $0.field(4, epoch) { $0.id($1) }
      $0.number(5, safe)
      $0.list(6, records) { $1.write(to: &$0) }
      $0.list(7, pairs) { $0.pair($1) }
      $0.list(8, aliases) { $1.write(to: &$0) }
    }
  }

  init(from reader: inout WireReader) throws {
    var (zone, id, replica, safe): (String?, RecordID?, ReplicaID?, Int64?)
    var (previous, epoch): (RecordID?, RecordID?)
    var (records, pairs, aliases): ([RecordChange], [PairChange], [Alias]) = ([], [], [])
    try reader.fields { reader, field in
      switch field {
      case 0: zone = try reader.name()
      case 1: id = try reader.id()
      case 2: replica = try reader.replica()
      case 3: previous = try reader.id()
      case 4: epoch = try reader.id()
      case 5: safe = try reader.body.integer()
      case 6: records = try reader.list { try RecordChange(from: &$0) }
      case 7: pairs = try reader.list { try $0.pair() }
      case 8: aliases = try reader.list { try Alias(from: &$0) }
      default: return false
      }
      return true
    }
    self.init(
      zone: try reader.require(zone, named: "zone"), id: try reader.require(id, named: "ID"),
      replica: try reader.require(replica, named: "replica"), previous: previous, epoch: epoch,
      safe: try reader.require(safe, named: "safe"), records: records, pairs: pairs,
      aliases: aliases)
  }
}

extension RecordChange {
  // | 0 ID | 1 entity | 2 life | 3 registers | 4 facts |
  func write(to writer: inout WireWriter) {
    writer.fields {
      $0.field(0) { $0.id(id) }
      $0.field(1) { $0.name(entity) }
      $0.field(2, life) { $0.life($1) }
      $0.table(3, registers) { $0.register($1) }
      $0.list(4, facts) { $0.fact($1) }
    }
  }

  init(from reader: inout WireReader) throws {
    var (id, entity, life): (RecordID?, String?, Life?)
    var (registers, facts): ([String: Register], [Fact]) = ([:], [])
    try reader.fields { reader, field in
      switch field {
      case 0: id = try reader.id()
      case 1: entity = try reader.name()
      case 2: life = try reader.life()
      case 3: registers = try reader.table { try $0.register() }
      case 4: facts = try reader.list { try $0.fact() }
      default: return false
      }
      return true
    }
    self.init(
      id: try reader.require(id, named: "ID"), entity: try reader.require(entity, named: "entity"),
      life: life,
      registers: registers, facts: facts)
  }
}

extension Alias {
  func write(to writer: inout WireWriter) {
    writer.array(count: 3)
    writer.id(loser)
    writer.id(winner)
    writer.name(entity)
  }

  init(from reader: inout WireReader) throws {
    try reader.parts(3, of: "an alias")
    self.init(loser: try reader.id(), winner: try reader.id(), entity: try reader.name())
  }
}
