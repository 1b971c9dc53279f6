import Foundation

@testable import CoreData
@testable import CoreDataSamples

/// Makes random changes to the books and shelves of a context.
struct RandomLibrary {
  var random: SplitMix64
  private var nextPlace = 1

  private static let kinds = [
    "insert", "insert", "delete", "title", "title", "group", "group", "note", "shelf", "rename",
    "weight", "rank", "added",
  ]
  /// Among them some that languages and bytes order otherwise, and one that lists leave out.
  private static let titles = ["a", "b", "B", "ä", "a10", "a9", "x"]

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  /// 1 … most.
  mutating func number(_ most: Int) -> Int { Int.random(in: 1...most, using: &random) }

  mutating func insert(_ context: NSManagedObjectContext) {
    let isAtlas = number(4) == 1
    context.makeBook(
      Self.titles.randomElement(using: &random)!, group: group(), place: nextPlace,
      entity: isAtlas ? "Atlas" : "Book")
    nextPlace += 1
  }

  mutating func change(_ context: NSManagedObjectContext, mayDelete: Bool = true) {
    let (books, shelves) = known(context)
    var kind = Self.kinds.randomElement(using: &random)!
    // Lists stay short enough to be compared whole after each event.
    if kind == "insert", books.count > 50 { kind = "delete" }
    if kind == "delete", !mayDelete { kind = "title" }
    guard kind != "insert", let book = books.randomElement(using: &random) else {
      return insert(context)
    }
    switch kind {
    case "delete": context.delete(book)
    case "title": book.setValue(Self.titles.randomElement(using: &random)!, forKey: "title")
    case "group": book.setValue(group(), forKey: "group")
    case "note": book.setValue(["m", "n", nil].randomElement(using: &random)!, forKey: "note")
    case "weight":
      book.setValue([-1.5, -0.0, 0.5, 2, nil].randomElement(using: &random)!, forKey: "weight")
    case "rank": book.setValue(number(9) < 9 ? number(40) - 20 : nil, forKey: "rank")
    case "added":
      book.setValue(Date(timeIntervalSinceReferenceDate: Double(number(40))), forKey: "added")
    case "shelf": book.setValue(shelves.randomElement(using: &random), forKey: "shelf")
    default:
      let name = ["east", "north", "south", "west"].randomElement(using: &random)!
      shelves.randomElement(using: &random)?.setValue(name, forKey: "name")
    }
  }

  private func known(
    _ context: NSManagedObjectContext
  ) -> (books: [NSManagedObject], shelves: [NSManagedObject]) {
    let live = context.registeredObjects.filter { !$0.isDeleted }
    let shelves = live.filter { $0.entity.name == "Shelf" }
    let books = live.filter { $0.entity.name != "Shelf" && $0.value(forKey: "place") != nil }
    return (
      books.sorted { $0.bookPlace < $1.bookPlace },
      shelves.sorted { $0.objectID.packed.bits < $1.objectID.packed.bits }
    )
  }

  private mutating func group() -> String? {
    ["p", "q", "r", "s", nil].randomElement(using: &random)!
  }
}
