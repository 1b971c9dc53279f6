import Foundation
import ListKit
import TestSupport
import Testing

@testable import ListWeb

/// What windows at one place are told of each other.
@MainActor
@Suite struct CompanyTests {
  private let registry: WindowRegistry

  init() {
    registry = WindowRegistry(limits: .init()) { scene in
      let window = UIWindow(windowScene: scene)
      let list = ListController(Titles(["Bread", "Milk"]))
      window.rootViewController = UINavigationController(rootViewController: list)
      return window
    }
  }

  private func open() throws -> WindowSession {
    let session = try #require(try registry.open(at: Place([])))
    _ = session.drawScreen()
    session.flush()
    _ = session.startStream(on: StreamLine())
    return session
  }

  private func told(_ session: WindowSession) -> [String] {
    (session.log.messages(after: 0) ?? []).map(\.text).filter { $0.contains(#""op":"others""#) }
  }

  /// Waits for the newest message about others.
  private func wait(for session: WindowSession, _ text: String) async throws {
    try await Patience.waiting(for: "a message") { told(session).last?.contains(text) == true }
  }

  private func edit(_ row: String?, in session: WindowSession) {
    var event = WindowEvent(type: "editing")
    event.row = row
    #expect(session.carryOut(event) == .done)
  }

  @Test func aWindowThatIsAloneIsToldNothing() async throws {
    let first = try open()
    edit("p1", in: first)
    edit(nil, in: first)
    let second = try open()
    // Had the first been told anything before, it would be there by now.
    try await wait(for: first, #""first":1"#)
    #expect(told(first).count == 1)
    #expect(told(second).count == 1)
  }

  @Test func windowsAreToldOfEachOtherAndOfTheRowThatIsEdited() async throws {
    let (first, second) = (try open(), try open())
    try await wait(for: first, #""first":1"#)
    try await wait(for: second, #""others":[{"colour":0}]"#)
    edit("p1", in: second)
    try await wait(for: first, #""others":[{"colour":1,"row":"p1"}]"#)
    edit(nil, in: second)
    try await wait(for: first, #""others":[{"colour":1}]"#)
    #expect(told(second).count == 1)
    second.streamEnded(1)
    try await wait(for: first, #""first":0"#)
  }

  @Test func aLongNameOfARowReachesNobody() async throws {
    let (first, second) = (try open(), try open())
    try await wait(for: first, #""first":1"#)
    var event = WindowEvent(type: "editing")
    event.row = String(repeating: "p", count: 100_000)
    #expect(second.carryOut(event) != .done)
    edit("p1", in: second)
    try await wait(for: first, #""row":"p1""#)
    #expect(told(first).allSatisfy { $0.utf8.count < 1000 })
  }

  @Test func aPageThatIsDrawnAgainIsToldAgain() async throws {
    let (first, second) = (try open(), try open())
    try await wait(for: first, #""first":1"#)
    try await wait(for: second, #""first":1"#)
    _ = first.drawScreen()
    try await Patience.waiting(for: "a message") { told(first).count == 2 }
    #expect(told(second).count == 1)
  }

  @Test func aWindowWhosePageIsHiddenIsNotHere() async throws {
    let (first, second) = (try open(), try open())
    try await wait(for: first, #""first":1"#)
    #expect(second.carryOut(WindowEvent(type: "hidden")) == .done)
    try await wait(for: first, #""first":0"#)
    #expect(second.carryOut(WindowEvent(type: "shown")) == .done)
    try await wait(for: first, #""first":1"#)
  }

  @Test func ofManyWindowsTheNumberIsTold() async throws {
    let all = try (0...Company.mostMarked).map { _ in try open() }
    try await wait(for: all[0], #""first":12,"op":"others","others":[]"#)
    let before = all.map { told($0).count }
    edit("p1", in: all[1])
    all[2].streamEnded(1)
    // Of twelve windows each is told.
    try await wait(for: all[0], #"{"colour":1,"row":"p1"}"#)
    #expect(zip(all, before).allSatisfy { told($0).count <= $1 + 1 })
  }

  @Test func everyWindowOfASmallCompanyHasAColourOfItsOwn() async throws {
    let all = try (0..<Company.colours).map { _ in try open() }
    #expect(Set(all.compactMap(\.colour)).count == Company.colours)
    all[3].streamEnded(1)
    let next = try open()
    #expect(next.colour == all[3].colour)
  }
}
