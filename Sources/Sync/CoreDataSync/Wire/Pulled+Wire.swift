extension Pulled: WireMessage {
  // | 0 outcome: 0 page, 1 reset, 2 other epoch | 1 epoch | 2 now | 3 page |
  func write(to writer: inout WireWriter) {
    writer.fields {
      switch outcome {
      case .page: $0.number(0, 0)
      case .reset: $0.number(0, 1)
      case .otherEpoch: $0.number(0, 2)
      }
      $0.field(1) { $0.id(epoch) }
      $0.field(2) { $0.body.unsigned(now) }
      if case .page(let page) = outcome { $0.field(3) { page.write(to: &$0) } }
    }
  }

  init(from reader: inout WireReader) throws {
    var (number, epoch, now): (Int64?, RecordID?, UInt64?)
    var page: Page?
    try reader.fields { reader, field in
      switch field {
      case 0: number = try reader.body.integer()
      case 1: epoch = try reader.id()
      case 2: now = try reader.body.unsigned()
      case 3: page = try Page(from: &reader)
      default: return false
      }
      return true
    }
    let outcome: Outcome =
      switch try reader.require(number, named: "outcome") {
      case 0: .page(try reader.require(page, named: "page"))
      case 1: .reset
      case 2: .otherEpoch
      case let number: throw reader.body.failure(.form, expected: "a pull has no outcome \(number)")
      }
    self.init(
      outcome: outcome, epoch: try reader.require(epoch, named: "epoch"),
      now: try reader.require(now, named: "time"))
  }
}

extension Page {
  // | 0 rows: a map is a record, an array a pair | 1 cursor | 2 head | 3 done |
  func write(to writer: inout WireWriter) {
    writer.fields {
      $0.list(0, rows) {
        switch $1 {
        case .record(let row): row.write(to: &$0)
        case .pair(let pair): $0.pair(pair)
        }
      }
      $0.number(1, cursor)
      $0.number(2, head)
      $0.flag(3, isDone)
    }
  }

  init(from reader: inout WireReader) throws {
    var (rows, cursor, head, isDone): ([Row], Int64?, Int64?, Bool) = ([], nil, nil, false)
    try reader.fields { reader, field in
      switch field {
      case 0:
        rows = try reader.list {
          try $0.body.peek() >> 5 == 4 ? .pair(try $0.pair()) : .record(try RecordRow(from: &$0))
        }
      case 1: cursor = try reader.body.integer()
      case 2: head = try reader.body.integer()
      case 3: isDone = try reader.body.bool()
      default: return false
      }
      return true
    }
    self.init(
      rows: rows, cursor: try reader.require(cursor, named: "cursor"),
      head: try reader.require(head, named: "head"), isDone: isDone)
  }
}

extension RecordRow {
  // | 0 ID | 1 entity | 2 alias | 3 life | 4 registers | 5 facts | 6 whole | 7 unseen | 8 taken |
  func write(to writer: inout WireWriter) {
    writer.fields {
      $0.field(0) { $0.id(id) }
      $0.field(1) { $0.name(entity) }
      $0.field(2, alias) { $0.id($1) }
      $0.field(3, life) { $0.life($1) }
      $0.table(4, registers) { $0.register($1) }
      $0.list(5, facts) { $0.fact($1) }
      $0.flag(6, isWhole)
      $0.list(7, unseen.sorted()) { $0.name($1) }
      $0.list(8, taken.sorted()) { $0.name($1) }
    }
  }

  init(from reader: inout WireReader) throws {
    var (id, entity, alias, life): (RecordID?, String?, RecordID?, Life?)
    var (registers, facts, isWhole): ([String: Register], [Fact], Bool) = ([:], [], false)
    var (unseen, taken): (Set<String>, Set<String>) = ([], [])
    try reader.fields { reader, field in
      switch field {
      case 0: id = try reader.id()
      case 1: entity = try reader.name()
      case 2: alias = try reader.id()
      case 3: life = try reader.life()
      case 4: registers = try reader.table { try $0.register() }
      case 5: facts = try reader.list { try $0.fact() }
      case 6: isWhole = try reader.body.bool()
      case 7: unseen = Set(try reader.list { try $0.name() })
      case 8: taken = Set(try reader.list { try $0.name() })
      default: return false
      }
      return true
    }
    self.init(
      id: try reader.require(id, named: "ID"), entity: try reader.require(entity, named: "entity"),
      alias: alias, life: life, registers: registers, facts: facts, isWhole: isWhole,
      unseen: unseen, taken: taken)
  }
}
