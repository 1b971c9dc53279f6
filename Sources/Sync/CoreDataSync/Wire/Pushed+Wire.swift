extension Pushed: WireMessage {
  // | 0 outcome: 0 accepted, 1 fork, 2 reset, 3 other epoch | 1 epoch | 2 now | 3 acceptance |
  func write(to writer: inout WireWriter) {
    writer.fields {
      switch outcome {
      case .accepted: $0.number(0, 0)
      case .fork: $0.number(0, 1)
      case .reset: $0.number(0, 2)
      case .otherEpoch: $0.number(0, 3)
      }
      $0.field(1) { $0.id(epoch) }
      $0.field(2) { $0.body.unsigned(now) }
      if case .accepted(let acceptance) = outcome, acceptance != Acceptance() {
        $0.field(3) { acceptance.write(to: &$0) }
      }
    }
  }

  init(from reader: inout WireReader) throws {
    var (number, epoch, now): (Int64?, RecordID?, UInt64?)
    var acceptance = Acceptance()
    try reader.fields { reader, field in
      switch field {
      case 0: number = try reader.body.integer()
      case 1: epoch = try reader.id()
      case 2: now = try reader.body.unsigned()
      case 3: acceptance = try Acceptance(from: &reader)
      default: return false
      }
      return true
    }
    let outcome: Outcome =
      switch try reader.require(number, named: "outcome") {
      case 0: .accepted(acceptance)
      case 1: .fork
      case 2: .reset
      case 3: .otherEpoch
      case let number: throw reader.body.failure(.form, expected: "a push has no outcome \(number)")
      }
    self.init(
      outcome: outcome, epoch: try reader.require(epoch, named: "epoch"),
      now: try reader.require(now, named: "time"))
  }
}

extension Acceptance {
  // | 0 clamped | 1 gone | 2 denied | 3 truth | 4 denied pairs | 5 why, by relationship |
  func write(to writer: inout WireWriter) {
    writer.fields {
      $0.list(0, clamped.sorted { $0.key < $1.key }) {
        $0.array(count: 4)
        $0.clock($1.key)
        $0.clock($1.value)
      }
      $0.list(1, gone) { $0.id($1) }
      $0.list(2, denied.sorted { $0.key < $1.key }) {
        $0.array(count: 2)
        $0.id($1.key)
        $0.body.text($1.value)
      }
      $0.list(3, truth) { $1.write(to: &$0) }
      $0.list(4, deniedPairs) { $0.pair($1) }
      $0.list(5, pairDenials.sorted { $0.key < $1.key }) {
        $0.array(count: 2)
        $0.body.text($1.key)
        $0.body.text($1.value)
      }
    }
  }

  init(from reader: inout WireReader) throws {
    self.init()
    var (clamped, denied): ([(Clock, Clock)], [(RecordID, String)]) = ([], [])
    var (gone, truth, pairs): ([RecordID], [RecordRow], [PairChange]) = ([], [], [])
    var pairDenials: [(String, String)] = []
    try reader.fields { reader, field in
      switch field {
      case 0:
        clamped = try reader.list {
          try $0.parts(4, of: "a clamped clock")
          return (try $0.clock(), try $0.clock())
        }
      case 1: gone = try reader.list { try $0.id() }
      case 2:
        denied = try reader.list {
          try $0.parts(2, of: "a denial")
          return (try $0.id(), try $0.body.text())
        }
      case 3: truth = try reader.list { try RecordRow(from: &$0) }
      case 4: pairs = try reader.list { try $0.pair() }
      case 5:
        pairDenials = try reader.list {
          try $0.parts(2, of: "a denial of pairs")
          return (try $0.body.text(), try $0.body.text())
        }
      default: return false
      }
      return true
    }
    self.init(
      clamped: Dictionary(clamped) { first, _ in first }, gone: gone,
      denied: Dictionary(denied) { first, _ in first }, truth: truth, deniedPairs: pairs,
      pairDenials: Dictionary(pairDenials) { first, _ in first })
  }
}
