extension SyncSchema: WireMessage {
  /// A list of entities.
  func write(to writer: inout WireWriter) {
    writer.array(count: entities.count)
    for (_, entity) in entities.sorted(by: { $0.key < $1.key }) { entity.write(to: &writer) }
  }

  init(from reader: inout WireReader) throws {
    self.init(entities: try reader.list { try Entity(from: &$0) })
  }
}

extension SyncSchema.Entity {
  // | 0 name | 1 attributes | 2 counters | 3 references | 4 uniqueness | 5 edit wins |
  func write(to writer: inout WireWriter) {
    writer.fields {
      $0.field(0) { $0.name(name) }
      $0.table(1, attributes) { $0.body.bool($1) }
      $0.list(2, counters.sorted()) { $0.name($1) }
      $0.table(3, references) { $1.write(to: &$0) }
      $0.list(4, uniqueness) {
        $0.array(count: $1.count)
        for name in $1 { $0.name(name) }
      }
      $0.flag(5, editWins)
    }
  }

  init(from reader: inout WireReader) throws {
    var name: String?
    var (attributes, counters): ([String: Bool], [String]) = ([:], [])
    var (references, uniqueness): ([String: SyncSchema.Reference], [[String]]) = ([:], [])
    var editWins = false
    try reader.fields { reader, field in
      switch field {
      case 0: name = try reader.name()
      case 1: attributes = try reader.table { try $0.body.bool() }
      case 2: counters = try reader.list { try $0.name() }
      case 3: references = try reader.table { try SyncSchema.Reference(from: &$0) }
      case 4: uniqueness = try reader.list { try $0.list { try $0.name() } }
      case 5: editWins = try reader.body.bool()
      default: return false
      }
      return true
    }
    self.init(
      name: try reader.require(name, named: "name"), attributes: attributes,
      counters: Set(counters),
      references: references, uniqueness: uniqueness, editWins: editWins)
  }
}

extension SyncSchema.Reference {
  // | 0 target | 1 required | 2 rule | 3 inverse | 4 list | 5 acyclic |
  func write(to writer: inout WireWriter) {
    writer.fields {
      $0.field(0) { $0.name(target) }
      $0.flag(1, isRequired)
      $0.number(2, Int64(rule.rawValue))
      $0.field(3, inverse) { $0.name($1) }
      $0.field(4, list) { $0.name($1) }
      $0.flag(5, isAcyclic)
    }
  }

  init(from reader: inout WireReader) throws {
    var (target, rule): (String?, DeleteRule?)
    var (inverse, list): (String?, String?)
    var (isRequired, isAcyclic) = (false, false)
    try reader.fields { reader, field in
      switch field {
      case 0: target = try reader.name()
      case 1: isRequired = try reader.body.bool()
      case 2:
        rule = UInt8(exactly: try reader.body.integer()).flatMap(DeleteRule.init)
      case 3: inverse = try reader.name()
      case 4: list = try reader.name()
      case 5: isAcyclic = try reader.body.bool()
      default: return false
      }
      return true
    }
    self.init(
      target: try reader.require(target, named: "target"), isRequired: isRequired,
      rule: try reader.require(rule, named: "rule"), inverse: inverse, list: list,
      isAcyclic: isAcyclic)
  }
}
