import CoreData
import CoreDataSupport
import Synchronization
import Testing
import TestSupport

@testable import CoreDataSync

/// A transport that may change what the server says, or says it at the wrong time.
///
/// Sendable: the lock guards the lies.
private final class Liar: SyncTransport, @unchecked Sendable {
  struct Lies {
    var push: (@Sendable (PushMessage, Pushed) throws -> Pushed)?
    var pull: (@Sendable (PullRequest, Pulled) throws -> Pulled)?
    var welcome: (@Sendable (SyncWelcome) throws -> SyncWelcome)?
    /// How many of the next answers are changed.
    var count = Int.max
  }
  let line: Line
  private let lies = Mutex(Lies())
  private let answers = Mutex<(pushed: [Pushed], pulled: [Pulled])>(([], []))
  private let calls = Mutex(0)

  init(_ line: Line) { self.line = line }

  func tell(_ change: (inout Lies) -> Void) { lies.withLock { change(&$0) } }
  var pushed: [Pushed] { answers.withLock { $0.pushed } }
  var pulled: [Pulled] { answers.withLock { $0.pulled } }
  /// How many calls there were.
  var callCount: Int { calls.withLock { $0 } }

  private func next() -> Lies? {
    calls.withLock { $0 += 1 }
    return lies.withLock { lies in
      guard lies.count > 0 else { return nil }
      lies.count -= 1
      return lies
    }
  }

  func greet(_ greeting: SyncGreeting) async throws -> SyncWelcome {
    let answer = try await line.greet(greeting)
    let lie = lies.withLock { $0.welcome }
    return try lie?(answer) ?? answer
  }

  func push(_ message: PushMessage) async throws -> Pushed {
    let answer = try await line.push(message)
    answers.withLock { $0.pushed.append(answer) }
    return try next()?.push?(message, answer) ?? answer
  }

  func pull(_ request: PullRequest) async throws -> Pulled {
    guard request.limit > 0 else {
      throw SyncTransportError(.refused, message: "a page of \(request.limit) rows")
    }
    let answer = try await line.pull(request)
    answers.withLock { $0.pulled.append(answer) }
    return try next()?.pull?(request, answer) ?? answer
  }

  func changes(in zones: [String]) -> AsyncThrowingStream<SyncWakeUp, any Error> {
    line.changes(in: zones)
  }
}

/// Answers that are not true, late, doubled, of somebody else, or of no use: no crash, no endless
/// work, and once the server is honest again nothing is lost.
@Suite struct LiesTests {
  /// A device behind a liar, and an honest one.
  private struct Deceived {
    let two: Two
    let liar: Liar
    let engine: SyncEngine

    init(pageLimit: Int = 1000) async throws {
      two = try await Two.withNotes()
      try await two.a.engine.close()
      liar = Liar(Line(two.cloud))
      var seams = SyncEngine.Seams()
      let cloud = two.cloud
      seams.clock = { cloud.now }
      seams.time = { _, _ in cloud.now }
      seams.pageLimit = { pageLimit }
      seams.refusalPause = 0.05
      engine = SyncEngine(
        coordinator: two.a.coordinator, configuration: two.a.configuration, transport: liar,
        seams: seams)
      try await engine.syncNow()
    }

    /// Edits on both sides, so that there is something to send and something to fetch.
    func edit(_ name: String = "e") throws {
      try two.b.edit { context in
        context.insert("Note", ["title": "\(name) of b"])
        try context.find("Note", "title", "m").setValue(2, forKey: "lo")
      }
      try two.a.edit { context in
        context.insert("Note", ["title": "\(name) of a"])
        try context.find("Note", "title", "n").setValue(3, forKey: "lo")
      }
    }

    /// One cycle that may fail: the error.
    func cycle() async -> (any Error)? {
      do {
        try await engine.syncNow()
        return nil
      } catch { return error }
    }

    /// The server is honest: all are equal, with everything.
    func recover(_ what: String, _ name: String = "e") async throws {
      liar.tell { $0 = Liar.Lies() }
      for _ in 0..<3 {
        try await engine.syncNow()
        try await two.b.sync()
      }
      let titles = ["\(name) of a", "\(name) of b", "m", "n"].sorted()
      for phone in [two.a, two.b] {
        #expect(try phone.values("Note", "title") == titles, "\(what)")
        #expect(try phone.values("Note", "lo") == ["2", "3", "nil", "nil"], "\(what)")
        #expect(try phone.values("Folder", "title") == ["X", "Y"], "\(what)")
      }
      #expect(engine.status.toSend == 0, "\(what)")
      try await engine.close()
      try await two.b.engine.close()
    }
  }

  private static func changed(_ pulled: Pulled, _ change: (inout Page) -> Void) -> Pulled {
    guard case .page(var page) = pulled.outcome else { return pulled }
    change(&page)
    return Pulled(outcome: .page(page), epoch: pulled.epoch, now: pulled.now)
  }

  private static func rows(_ pulled: Pulled, _ change: (inout RecordRow) -> Void) -> Pulled {
    changed(pulled) { page in
      page.rows = page.rows.map { row in
        guard case .record(var record) = row else { return row }
        change(&record)
        return .record(record)
      }
    }
  }

  private static let clock = Clock(ticks: 1_000_000_500 << 16, replica: ReplicaID(7))

  private static func row(
    _ entity: String, _ registers: [String: SyncValue], id: RecordID = RecordID(high: 9, low: 9),
    facts: [Fact] = [], alias: RecordID? = nil, hasLife: Bool = true
  ) -> Page.Row {
    .record(
      RecordRow(
        id: id, entity: entity, alias: alias,
        life: hasLife ? Life(isDead: false, clock: clock) : nil,
        registers: registers.mapValues { Register(clock: clock, value: $0) }, facts: facts,
        isWhole: true))
  }

  /// What a page may hold that no honest page does.
  enum Nonsense: String, CaseIterable {
    case entity, property, type, reference, position, composite, blob, fact, factType, pair, alias
    case selfAlias, aliasCircle, noLife, twice, selfReference, emptyName, longName, nan, url

    var rows: [Page.Row] {
      let id = RecordID(high: 9, low: 9)
      let other = RecordID(high: 9, low: 10)
      switch self {
      case .entity: return [LiesTests.row("Nobody", ["x": .integer(1)])]
      case .property: return [LiesTests.row("Cover", ["nothing": .text("x")])]
      case .type:
        return [LiesTests.row("Cover", ["color": .integer(3)])]
      case .reference: return [LiesTests.row("Cover", ["color": .reference(other)])]
      case .position:
        return [LiesTests.row("Cover", ["color": .position(list: other, key: "zz")])]
      case .composite: return [LiesTests.row("Cover", ["color": .composite(["a": .null])])]
      case .blob:
        return [LiesTests.row("Cover", ["color": .blob(hash: Data([1]), size: -1)])]
      case .fact:
        return [
          LiesTests.row(
            "Cover", [:], facts: [Fact(property: "color", name: other, amount: .integer(1))])
        ]
      case .factType:
        return [
          LiesTests.row(
            "Tag", ["name": .text("t")],
            facts: [Fact(property: "uses", name: other, amount: .text("many"))])
        ]
      case .pair:
        return [
          .pair(
            PairChange(
              pair: Pair(relationship: "No.thing", first: id, second: other),
              clock: LiesTests.clock, isOn: true))
        ]
      case .alias: return [LiesTests.row("Cover", [:], alias: other)]
      case .selfAlias: return [LiesTests.row("Cover", [:], alias: id)]
      case .aliasCircle:
        return [
          LiesTests.row("Cover", [:], id: id, alias: other),
          LiesTests.row("Cover", [:], id: other, alias: id),
        ]
      case .noLife: return [LiesTests.row("Cover", ["color": .text("x")], hasLife: false)]
      case .twice:
        return Array(repeating: LiesTests.row("Tag", ["name": .text("twice")]), count: 3)
      case .selfReference:
        return [
          LiesTests.row(
            "Folder", ["title": .text("x"), "up": .reference(id), "account": .reference(id)])
        ]
      case .emptyName: return [LiesTests.row("", ["": .text("")])]
      case .longName:
        return [LiesTests.row(String(repeating: "E", count: 100_000), ["p": .text("")])]
      case .nan: return [LiesTests.row("Tag", ["name": .text("nan"), "uses": .double(.nan)])]
      case .url: return [LiesTests.row("Tag", ["name": .url(""), "hue": .decimal("not a number")])]
      }
    }
  }

  @Test(arguments: Sample.of(Nonsense.allCases.filter { $0 != .selfReference }))
  func aPageWithNonsenseStopsNothing(_ nonsense: Nonsense) async throws {
    let deceived = try await Deceived()
    try deceived.edit()
    deceived.liar.tell { lies in
      lies.count = 2
      lies.pull = { _, answer in Self.changed(answer) { $0.rows += nonsense.rows } }
    }
    _ = await deceived.cycle()
    try await deceived.recover("\(nonsense)")
  }

  /// A reference to a record of another entity than the model says, of which the engine makes an
  /// object that the store does not take.
  @Test
  func aReferenceToAnotherEntityStopsNothing() async throws {
    try await aPageWithNonsenseStopsNothing(.selfReference)
  }

  /// What the frame of a page may say.
  enum Frame: String, CaseIterable {
    case cursorStands, cursorGoesBack, cursorIsNegative, cursorIsFar, headIsBehind, headIsFar
    case isNeverDone, isDoneAtOnce, rowsAreMissing, otherEpoch, timeIsZero, timeIsFar, olderAnswer
    case reset, epochForEver
  }

  private static func lie(_ frame: Frame, _ liar: Liar) -> @Sendable (PullRequest, Pulled) -> Pulled
  {
    let first = liar.pulled.first
    return { request, answer in
      switch frame {
      case .cursorStands:
        return changed(answer) { page in
          page.cursor = request.cursor
          page.isDone = false
        }
      case .cursorGoesBack:
        return changed(answer) { page in
          page.cursor = max(0, request.cursor - 1)
          page.isDone = false
        }
      case .cursorIsNegative: return changed(answer) { $0.cursor = -5 }
      case .cursorIsFar: return changed(answer) { $0.cursor = .max }
      case .headIsBehind: return changed(answer) { $0.head = 0 }
      case .headIsFar: return changed(answer) { $0.head = .max }
      case .isNeverDone: return changed(answer) { $0.isDone = false }
      case .isDoneAtOnce: return changed(answer) { $0.isDone = true }
      case .rowsAreMissing: return changed(answer) { $0.rows = Array($0.rows.dropLast()) }
      case .otherEpoch:
        return Pulled(
          outcome: answer.outcome, epoch: RecordID(high: 5, low: 5), now: answer.now)
      case .timeIsZero: return Pulled(outcome: answer.outcome, epoch: answer.epoch, now: 0)
      case .timeIsFar: return Pulled(outcome: answer.outcome, epoch: answer.epoch, now: .max)
      case .olderAnswer: return first ?? answer
      case .reset: return Pulled(outcome: .reset, epoch: answer.epoch, now: answer.now)
      case .epochForEver:
        return Pulled(
          outcome: .otherEpoch, epoch: RecordID(high: .random(in: 0...99), low: 5), now: answer.now)
      }
    }
  }

  /// A frame that lies for some answers: what the device has done is there in the end. Rows that the
  /// server has withheld while it said that there were no others are not asked of anybody.
  @Test(arguments: Sample.of(Frame.allCases, [1, 3]))
  func aPageWhoseFrameLiesLosesNothing(_ frame: Frame, times: Int) async throws {
    let deceived = try await Deceived(pageLimit: 2)
    try deceived.edit()
    try await deceived.two.b.sync()
    let lie = Self.lie(frame, deceived.liar)
    deceived.liar.tell { lies in
      lies.count = times
      lies.pull = lie
    }
    _ = await deceived.cycle()
    deceived.liar.tell { $0 = Liar.Lies() }
    if [.rowsAreMissing, .cursorIsFar, .isDoneAtOnce].contains(frame) {
      // What was withheld cannot be known: the device's own is there, and what is edited again.
      for _ in 0..<3 {
        _ = await deceived.cycle()
        try await deceived.two.b.sync()
      }
      try deceived.two.b.edit { context in
        for note in try context.all("Note") { note.setValue("edited", forKey: "title") }
      }
      for _ in 0..<3 {
        try await deceived.engine.syncNow()
        try await deceived.two.b.sync()
      }
      #expect(try deceived.two.b.values("Note", "title").count == 4)
      #expect(deceived.engine.status.toSend == 0)
      try await deceived.engine.close()
      return
    }
    try await deceived.recover("\(frame)")
  }

  /// A server that always says that there is more has an end: an error, or a pause, and no work
  /// without end.
  @Test(
    arguments: Sample.of([Frame.cursorStands, .cursorGoesBack, .isNeverDone, .reset, .epochForEver])
  )
  func aServerThatNeverEndsIsGivenUp(_ frame: Frame) async throws {
    let deceived = try await Deceived()
    try deceived.edit()
    let lie = Self.lie(frame, deceived.liar)
    let count = Mutex(0)
    deceived.liar.tell { lies in
      lies.pull = { request, answer in
        let calls = count.withLock { count in
          count += 1
          return count
        }
        if calls > 200 { throw SyncTransportError(.unavailable, message: "enough") }
        return lie(request, answer)
      }
    }
    _ = await deceived.cycle()
    #expect(count.withLock { $0 } <= 200, "\(frame)")
    try await deceived.recover("\(frame)")
  }

  /// What an answer to a push may say that is not so.
  enum Answer: String, CaseIterable {
    case olderAnswer, gone, goneUnknown, deniedWithoutTruth, truthOfOthers, clampedFar, fork, reset
    case otherEpoch, forkThrice
  }

  @Test(arguments: Sample.of(Answer.allCases))
  func anAnswerToAPushThatLies(_ kind: Answer) async throws {
    let deceived = try await Deceived()
    try deceived.edit("first")
    _ = await deceived.cycle()
    let first = deceived.liar.pushed.first
    try deceived.two.a.edit {
      try $0.find("Note", "title", "first of a").setValue("e of a", forKey: "title")
    }
    deceived.liar.tell { lies in
      lies.count = kind == .forkThrice ? 3 : 1
      lies.push = { message, answer in
        func made(_ outcome: Pushed.Outcome) -> Pushed {
          Pushed(outcome: outcome, epoch: answer.epoch, now: answer.now)
        }
        switch kind {
        case .olderAnswer: return first ?? answer
        case .gone: return made(.accepted(Acceptance(gone: message.records.map(\.id))))
        case .goneUnknown:
          return made(.accepted(Acceptance(gone: [RecordID(high: 77, low: 77)])))
        case .deniedWithoutTruth:
          return made(
            .accepted(
              Acceptance(
                denied: Dictionary(uniqueKeysWithValues: message.records.map { ($0.id, "no") }))))
        case .truthOfOthers:
          return made(
            .accepted(
              Acceptance(truth: [
                RecordRow(
                  id: RecordID(high: 78, low: 1), entity: "Nobody", life: nil, registers: [:],
                  isWhole: true)
              ])))
        case .clampedFar:
          let clocks = message.records.flatMap { $0.registers.values.map(\.clock) }
          return made(
            .accepted(
              Acceptance(
                clamped: Dictionary(
                  clocks.map { ($0, Clock(ticks: .max, replica: $0.replica)) },
                  uniquingKeysWith: { one, _ in one }))))
        case .fork, .forkThrice: return made(.fork)
        case .reset: return made(.reset)
        case .otherEpoch:
          return Pushed(outcome: .otherEpoch, epoch: RecordID(high: 6, low: 6), now: answer.now)
        }
      }
    }
    _ = await deceived.cycle()
    deceived.liar.tell { $0 = Liar.Lies() }
    for _ in 0..<3 {
      _ = await deceived.cycle()
      try await deceived.two.b.sync()
    }
    let shown = try [deceived.two.a, deceived.two.b].map { try $0.values("Note", "title") }
    #expect(shown[0] == shown[1], "\(shown)")
    if ![.gone, .deniedWithoutTruth].contains(kind) {
      #expect(shown[0] == ["e of a", "first of b", "m", "n"], "\(shown)")
    }
    #expect(deceived.engine.status.toSend == 0)
    // A clock at the end of time must not keep everybody from editing it.
    try deceived.two.b.edit { context in
      for note in try context.all("Note")
      where (note.value(forKey: "title") as? String)?.hasSuffix("of a") == true {
        note.setValue("later", forKey: "title")
      }
    }
    for _ in 0..<3 {
      try await deceived.two.b.sync()
      _ = await deceived.cycle()
    }
    let last = try [deceived.two.a, deceived.two.b].map { try $0.values("Note", "title") }
    #expect(last[0] == last[1], "\(last)")
    try await deceived.engine.close()
  }

  /// What a welcome may lack or say too much of.
  enum Welcome: String, CaseIterable {
    case noZone, otherZone, limitsOfZero, limitsAreNegative, limitsAreHuge, newerProtocol
  }

  @Test(.timeLimit(.minutes(15)), arguments: Sample.of(Welcome.allCases))
  func aWelcomeThatLiesLosesNothing(_ kind: Welcome) async throws {
    let deceived = try await Deceived()
    try deceived.edit()
    try await deceived.engine.close()
    deceived.liar.tell { lies in
      lies.welcome = { welcome in
        var welcome = welcome
        switch kind {
        case .noZone: welcome.zones = [:]
        case .otherZone: welcome.zones = ["another": welcome.zones.values.first!]
        case .limitsOfZero:
          welcome.limits = SyncLimits(changesPerPush: 0, bytesPerPush: 0, rowsPerPage: 0)
        case .limitsAreNegative:
          welcome.limits = SyncLimits(changesPerPush: -1, bytesPerPush: .min, rowsPerPage: -7)
        case .limitsAreHuge:
          welcome.limits = SyncLimits(changesPerPush: .max, bytesPerPush: .max, rowsPerPage: .max)
        case .newerProtocol: welcome.protocolNumber = 99
        }
        return welcome
      }
    }
    var seams = SyncEngine.Seams()
    let cloud = deceived.two.cloud
    seams.clock = { cloud.now }
    seams.time = { _, _ in cloud.now }
    let engine = SyncEngine(
      coordinator: deceived.two.a.coordinator, configuration: deceived.two.a.configuration,
      transport: deceived.liar, seams: seams)
    var failure: (any Error)?
    do { try await engine.syncNow() } catch { failure = error }
    if kind == .noZone || kind == .otherZone {
      #expect(failure as? SyncError == .zone("zone"))
      #expect(try deceived.two.a.values("Note", "title") == ["e of a", "m", "n"])
    }
    try await engine.close()
    deceived.liar.tell { $0 = Liar.Lies() }
    try await deceived.two.a.restart()
    try await deceived.two.settle()
    for phone in [deceived.two.a, deceived.two.b] {
      #expect(try phone.values("Note", "title") == ["e of a", "e of b", "m", "n"])
      #expect(phone.engine.status.toSend == 0)
    }
  }

  /// Errors of every kind at every call, one after the other.
  @Test(
    arguments: Sample.of([
      SyncTransportError.Reason.unreachable, .unavailable, .unauthorized, .forbidden, .refused,
      .protocolNumber, .answer,
    ]))
  func errorsAtEveryCallLoseNothing(_ reason: SyncTransportError.Reason) async throws {
    let deceived = try await Deceived(pageLimit: 1)
    try deceived.edit()
    try await deceived.two.b.sync()
    let error = SyncTransportError(reason, message: "no")
    for _ in 0..<8 {
      let isLast = Mutex(true)
      deceived.liar.tell { lies in
        lies.push = { _, _ in throw error }
        lies.pull = { _, answer in
          // Every second answer arrives.
          let isBad = isLast.withLock { last in
            last.toggle()
            return last
          }
          if isBad { throw error }
          return answer
        }
      }
      _ = await deceived.cycle()
    }
    try await deceived.recover("\(reason)")
  }
}
