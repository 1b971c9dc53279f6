import OSLog
import Testing

struct SignpostTests {
  private func marks(_ body: (OSSignposter) throws -> Void) rethrows -> [[String: String]] {
    let label = LogRecorder.label()
    try body(OSSignposter(subsystem: label, category: .pointsOfInterest))
    return LogRecorder.messages(label).map { message in
      #expect(message.metadata["category"] == "PointsOfInterest")
      var mark = message.metadata.filter { ["signpost", "name", "id"].contains($0.key) }
      mark["text"] = message.text
      #expect((message.metadata["elapsed"] != nil) == (mark["signpost"] == "end"))
      return mark
    }
  }

  @Test func anIntervalHasABeginningAndAnEnd() {
    let marks = marks { poster in
      let state = poster.beginInterval("fetch", "page \(3)")
      poster.endInterval("fetch", state)
    }
    #expect(
      marks == [
        ["signpost": "begin", "name": "fetch", "text": "page 3"],
        ["signpost": "end", "name": "fetch", "text": ""],
      ])
  }

  @Test func anIntervalEndsWithAnErrorToo() throws {
    struct Failure: Error {}
    let marks = marks { poster in
      #expect(throws: Failure.self) {
        try poster.withIntervalSignpost("save") { throw Failure() }
      }
      #expect(poster.withIntervalSignpost("save", "again") { 7 } == 7)
    }
    #expect(marks.map { $0["signpost"] } == ["begin", "end", "begin", "end"])
  }

  @Test func anIntervalEndsOnce() {
    let label = LogRecorder.label()
    let poster = OSSignposter(subsystem: label, category: "c")
    let state = poster.beginInterval("a")
    poster.endInterval("a", state)
    poster.endInterval("a", state)
    #expect(LogRecorder.messages(label).map(\.level) == [.trace, .trace, .error])
  }

  @Test func identifiersTellIntervalsApart() {
    let poster = OSSignposter.disabled
    let object = Asked()
    #expect(poster.makeSignpostID() != poster.makeSignpostID())
    #expect(poster.makeSignpostID(from: object) == poster.makeSignpostID(from: object))
  }

  @Test func functionsFromBefore() {
    let label = LogRecorder.label()
    let log = OSLog(subsystem: label, category: .pointsOfInterest)
    os_signpost(.begin, log: log, name: "a", signpostID: OSSignpostID(10))
    os_signpost(.event, log: log, name: "b", "%d rows", 5)
    os_signpost(.end, log: log, name: "a", signpostID: OSSignpostID(10))
    os_signpost(.end, log: log, name: "a", signpostID: .invalid)
    let messages = LogRecorder.messages(label)
    #expect(messages.map { $0.metadata["signpost"] } == ["begin", "event", "end"])
    #expect(messages.map { $0.metadata["id"] } == ["a", nil, "a"])
    #expect(messages[1].text == "5 rows")
  }
}
