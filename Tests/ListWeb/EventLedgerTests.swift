import Foundation
import ListKit
import Testing

@testable import ListWeb

/// An event that arrives again gets its answer again, and is not carried out again.
@MainActor
@Suite struct EventLedgerTests {
  private func event(_ type: String, page: Int? = 1, number: Int?) -> WindowEvent {
    var event = WindowEvent(type: type)
    (event.page, event.number) = (page, number)
    return event
  }

  @Test func answersAreKeptByPageAndNumber() {
    var ledger = EventLedger()
    let first = event("undo", number: 1)
    #expect(ledger.answer(to: first) == nil)
    ledger.note(.refused("No."), to: first)
    #expect(ledger.answer(to: first) == .refused("No."))
    #expect(ledger.answer(to: event("undo", number: 2)) == nil)
    #expect(ledger.answer(to: event("undo", page: 2, number: 1)) == nil)
    #expect(ledger.answer(to: event("undo", number: nil)) == nil)
  }

  @Test func whatIsRememberedIsBounded() {
    var ledger = EventLedger()
    for page in 1...1000 {
      for number in 1...100 { ledger.note(.emptied, to: event("undo", page: page, number: number)) }
    }
    #expect(ledger.remembered == EventLedger.maximumPages * EventLedger.maximumAnswers)
    // However long ago it was: it is not done again.
    #expect(ledger.answer(to: event("undo", page: 1000, number: 3)) == .done)
    #expect(ledger.answer(to: event("undo", page: 1000, number: 100)) == .emptied)
  }

  @Test(arguments: [0, -1, .min, .max, 1 << 41])
  func numbersThatNoPageHasAreNotRemembered(_ number: Int) {
    var ledger = EventLedger()
    ledger.note(.done, to: event("undo", number: number))
    #expect(ledger.remembered == 0)
    #expect(ledger.answer(to: event("undo", number: 1)) == nil)
  }

  @Test func anEventThatIsSentAgainIsDoneOnce() async throws {
    let model = Titles(["a"])
    try await withServer(model) { server in
      let page = try await server.get("/").text
      let token = String(page.firstMatch(of: /data-window="([0-9a-f]+)"/)?.1 ?? "")
      let field = String(page.firstMatch(of: /data-field="(e\d+)"/)?.1 ?? "")
      func add(_ title: String, _ number: Int) async throws -> RunningServer.Answer {
        try await server.post(
          "/w/\(token)/events",
          #"{"type":"return","id":"\#(field)","text":"\#(title)","page":1,"number":\#(number)}"#)
      }
      for (title, number) in [("b", 1), ("b", 1), ("c", 2), ("b", 1), ("c", 2), ("c", 3)] {
        let answer = try await add(title, number)
        #expect(answer.status == 204)
        #expect(answer.headers["field"] == "emptied")
      }
      #expect(model.titles == ["a", "b", "c", "c"])
      // What was refused is refused again.
      for _ in 0..<2 {
        let refused = try await server.post(
          "/w/\(token)/events", #"{"type":"explode","page":1,"number":4}"#)
        #expect(refused.status == 400)
        #expect(refused.text == "There is no event of type “explode”.")
      }
    }
  }

  /// The same bytes on two connections at once, as from a proxy that does not know what became of the first.
  @Test func twoThatArriveAtOnceAreDoneOnce() async throws {
    let model = Titles([])
    try await withServer(model) { server in
      let page = try await server.get("/").text
      let token = String(page.firstMatch(of: /data-window="([0-9a-f]+)"/)?.1 ?? "")
      let field = String(page.firstMatch(of: /data-field="(e\d+)"/)?.1 ?? "")
      for number in 1...20 {
        let body =
          #"{"type":"return","id":"\#(field)","text":"t\#(number)","page":1,"number":\#(number)}"#
        async let one = server.post("/w/\(token)/events", body)
        async let other = server.post("/w/\(token)/events", body)
        #expect(try await [one.status, other.status] == [204, 204])
      }
      #expect(model.titles == (1...20).map { "t\($0)" })
    }
  }
}
