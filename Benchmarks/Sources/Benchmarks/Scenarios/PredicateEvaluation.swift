import CoreData
import Foundation

/// `title BEGINSWITH[cd] %@ AND order > %d`, asked about objects in memory one by one, against the same
/// test written by hand: with Foundation's search for the prefix, and with a comparison of its bytes that
/// takes care of ASCII alone.
extension Scenario {
  static func predicateEvaluation(_ count: Int, in workspace: Workspace) throws -> Scenario {
    let fixture = try Fixture(count: count, in: workspace)
    let stack = try Stack(fixture.url)
    let request = NSFetchRequest<Item>(entityName: "Item")
    let items = try stack.context.fetch(request)
    let predicate = NSPredicate(format: "title BEGINSWITH[cd] %@ AND order > %d", "réc", count)
    return Scenario(
      unit: .milliseconds,
      contestants: [
        .ours { _ in
          // The stack lives as long as the scenario: its objects are the work.
          withExtendedLifetime(stack) { counting(items) { predicate.evaluate(with: $0) } }
        },
        Contestant(name: "closure, Foundation") { _ in
          counting(items) { item in
            let options: String.CompareOptions = [
              .anchored, .caseInsensitive, .diacriticInsensitive,
            ]
            return item.title?.range(of: "réc", options: options) != nil && item.order > count
          }
        },
        Contestant(name: "closure, ASCII") { _ in
          counting(items) { item in
            item.title?.utf8.prefix(3).elementsEqual("rec".utf8) { $0 | 0x20 == $1 } == true
              && item.order > count
          }
        },
      ])
  }

  private static func counting(_ items: [Item], _ test: (Item) -> Bool) -> Outcome {
    var checksum = Checksum()
    let duration = ContinuousClock().measure {
      for item in items where test(item) { checksum.addRow() }
    }
    return Outcome(duration: duration, checksum: checksum)
  }
}
