import Foundation
import Testing

/// What mutable ordered sets of ported sources do, with elements of every kind.
@Suite struct OrderedSetTests {
  enum Elements: CaseIterable {
    case objects, numbers, numberObjects, strings, stringObjects, dates, mixed

    /// Four that differ.
    var all: [Any] {
      switch self {
      case .objects: (0..<4).map { _ in NSObject() }
      case .numbers: [1, 2, 3, 4]
      case .numberObjects: (1...4).map { NSNumber(value: $0) }
      case .strings: ["a", "b", "c", "d"]
      case .stringObjects: ["a", "b", "c", "d"].map { NSString(string: $0) }
      case .dates: (1...4).map { Date(timeIntervalSince1970: Double($0)) }
      case .mixed: [1, "b", NSObject(), NSNumber(value: 2.5)]
      }
    }
  }

  private static let makers: [@Sendable ([Any]) -> NSMutableOrderedSet] = [
    Queue.made, Queue.copied, Queue.grown, Queue.copiedAgain,
  ]

  private struct Change: Sendable {
    let left: [Int]
    let make: @Sendable (NSMutableOrderedSet, [Any]) -> Void

    init(left: [Int], _ make: @escaping @Sendable (NSMutableOrderedSet, [Any]) -> Void) {
      self.left = left
      self.make = make
    }
  }

  /// A change, and what it leaves of the elements 0 to 3.
  private static let changes: [Change] = [
    Change(left: [0, 2, 3]) { $0.remove($1[1]) },
    Change(left: [0, 2, 3]) { set, _ in set.removeObject(at: 1) },
    Change(left: [1, 2]) { $0.removeObjects(in: [$1[0], $1[3]]) },
    Change(left: [1, 3]) { $0.minus(NSOrderedSet(array: [$1[0], $1[2]])) },
    Change(left: [1, 2, 3]) { $0.minusSet([$1[0] as! AnyHashable]) },
    Change(left: [1, 3]) { $0.intersect(NSOrderedSet(array: [$1[3], $1[1]])) },
    Change(left: []) { set, _ in set.intersect(NSOrderedSet()) },
    Change(left: [2]) { $0.intersectSet([$1[2] as! AnyHashable]) },
    Change(left: [0, 1, 2, 3]) { $0.union(NSOrderedSet(array: $1)) },
    Change(left: [0, 1, 2, 3]) { $0.unionSet([$1[2] as! AnyHashable]) },
    Change(left: [0, 1, 2, 3]) { $0.add($1[2]) },
    Change(left: [0, 1, 2, 3]) { $0.insert($1[2], at: 0) },
    Change(left: [1, 2, 0, 3]) { set, _ in set.moveObjects(at: [0], to: 2) },
    Change(left: [3, 1, 2, 0]) { set, _ in set.exchangeObject(at: 0, withObjectAt: 3) },
    Change(left: []) { set, _ in set.removeAllObjects() },
  ]

  @Test(arguments: Elements.allCases, 0..<15) func changesLeaveWhatTheyShould(
    of kind: Elements, number: Int
  ) {
    let elements = kind.all
    for make in Self.makers {
      let set = make(elements + elements)
      #expect(set.count == 4, "what is there twice is kept once")
      let left = Self.changes[number].left
      Self.changes[number].make(set, elements)
      #expect(set == NSOrderedSet(array: left.map { elements[$0] }))
      #expect(set.count == left.count && set.array.count == left.count)
      for (index, element) in elements.enumerated() {
        #expect(set.contains(element) == left.contains(index))
        #expect(set.index(of: element) == left.firstIndex(of: index) ?? NSNotFound)
      }
    }
  }

  @Test func oneIsCopiedAndArchivedAsFoundationsIs() throws {
    let set = Queue.made(["a", "b"])
    let copy = set.copy() as? NSOrderedSet
    set.remove("a")
    #expect(copy == NSOrderedSet(array: ["a", "b"]))
    let data = try NSKeyedArchiver.archivedData(withRootObject: set, requiringSecureCoding: true)
    let found = try NSKeyedUnarchiver.unarchivedObject(
      ofClasses: [NSMutableOrderedSet.self, NSString.self], from: data)
    #expect(found as? NSOrderedSet == NSOrderedSet(array: ["b"]))
  }
}
