import TestSupport
import Testing

@testable import ListKit

/// Who is told of whom.
@MainActor
@Suite struct CompanyTests {
  private final class Guest: CompanyMember {
    var presence: Presence?
    var colour: Int?
    var shown = Company.Shown.nobody

    func show(_ company: Company.Shown) { shown = company }
  }

  private let company = Company()

  private func enter(_ guest: Guest, _ places: [String]..., editing row: String? = nil) {
    guest.presence = Presence(places: Set(places), row: row)
    company.note(guest)
  }

  private func wait(until condition: () -> Bool) async throws {
    try await Patience.waiting(for: "what is told") { condition() }
  }

  @Test func whoShowsSeveralListsMeetsThoseOnEach() async throws {
    let (wide, narrow, deep) = (Guest(), Guest(), Guest())
    enter(wide, [], ["p1"], ["p1", "p2"])
    enter(narrow, [])
    enter(deep, ["p1", "p2"], editing: "p3")
    try await wait { wide.shown.count == 2 && narrow.shown.count == 1 && deep.shown.count == 1 }
    #expect(wide.shown.others.compactMap(\.row) == ["p3"])
    #expect(narrow.shown.others.compactMap(\.row) == [])
    enter(narrow, ["p1", "p2"])
    try await wait { narrow.shown.count == 2 && deep.shown.count == 2 }
    enter(wide, [])
    try await wait { wide.shown == .nobody && narrow.shown.count == 1 }
  }

  @Test func aWindowKeepsItsColourWhileNobodyElseHasIt() async throws {
    let (one, other) = (Guest(), Guest())
    enter(one, [])
    enter(other, [])
    let colours = [one.colour, other.colour]
    #expect(Set(colours).count == 2)
    enter(other, ["p1"])
    enter(other, [], ["p1"])
    #expect([one.colour, other.colour] == colours)
  }

  @Test(arguments: 0..<5 as Range<UInt64>)
  func everyWindowIsToldOfAllOnItsLists(_ seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let guests = (0..<6).map { _ in Guest() }
    let places = [[], ["p1"], ["p1", "p2"], ["p3"]]
    for _ in 0..<6 {
      for _ in 0..<5 {
        let guest = guests[Int.random(in: 0..<guests.count, using: &random)]
        let some = places.filter { _ in Bool.random(using: &random) }
        let row = Bool.random(using: &random) ? "p\(Int.random(in: 5..<9, using: &random))" : nil
        guest.presence = some.isEmpty ? nil : Presence(places: Set(some), row: row)
        company.note(guest)
      }
      let expected = guests.map { rows(of: $0, among: guests) }
      try await Patience.waiting(for: "the windows of seed \(seed)") {
        guests.map { $0.shown.others.map { $0.row ?? "" }.sorted() } == expected
          && guests.allSatisfy { $0.shown.count == $0.shown.others.count }
      }
    }
  }

  /// The rows that the others on a window's lists edit, "" for none.
  private func rows(of guest: Guest, among all: [Guest]) -> [String] {
    guard let own = guest.presence?.places else { return [] }
    return all.filter {
      $0 !== guest && $0.presence.map { !$0.places.isDisjoint(with: own) } == true
    }
    .map { $0.presence?.row ?? "" }.sorted()
  }
}
