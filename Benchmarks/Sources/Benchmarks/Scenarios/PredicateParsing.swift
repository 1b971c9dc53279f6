import CoreData
import Foundation

/// Formats as applications write them, parsed with their arguments: formats per second is their number
/// by this time.
extension Scenario {
  static func predicateParsing(_ count: Int, in workspace: Workspace) throws -> Scenario {
    Scenario(
      unit: .milliseconds,
      contestants: [.ours { _ in Outcome(duration: parse(count), checksum: Checksum()) }])
  }

  private static var formats: [(format: String, arguments: [Any])] {
    [
      ("%K == %@", ["title", "Groceries"]), ("parent = nil", []),
      ("title BEGINSWITH[cd] %@ AND order > %d", ["gro", 12]),
      ("ANY tags.name IN %@", [["red", "green"]]), ("NOT (SELF IN %@)", [[1, 2, 3]]),
      ("SUBQUERY(tags, $tag, $tag.name == 'Swift').@count == 0", []),
      ("(date >= %@) AND (date < %@)", [Date.distantPast, Date.distantFuture]),
      ("isDone == NO AND (owner.name ==[c] %@ OR owner == nil)", ["Ada"]),
      ("price * (1 + rate) BETWEEN {%@, 100.5}", [10]),
      ("children.@count > 2 OR order & 4 != 0", []),
    ]
  }

  private static func parse(_ count: Int) -> Duration {
    let formats = formats
    return ContinuousClock().measure {
      for number in 0..<count {
        let next = formats[number % formats.count]
        _ = NSPredicate(format: next.format, argumentArray: next.arguments)
      }
    }
  }
}
