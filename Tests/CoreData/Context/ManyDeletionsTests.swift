import CoreData
import Testing

@testable import CoreDataSamples

/// Many objects that are deleted at once: their members are looked for together, in no more of the store than may have any.
@Suite struct ManyDeletionsTests {
  /// Which of 80 shops have goods.
  enum Shape: CaseIterable {
    case none, lowest, highest, middle, ends, all

    func hasGoods(_ shop: Int) -> Bool {
      switch self {
      case .none: false
      case .lowest: shop < 10
      case .highest: shop >= 70
      case .middle: 30..<50 ~= shop
      case .ends: shop < 3 || shop >= 77
      case .all: true
      }
    }
  }

  @Test(arguments: Shape.allCases, [UInt64(1), 20_261_125])
  func rulesActOnEveryMember(shape: Shape, seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let stack = try BatchModel.makeStack()
    var goods: [(code: String, shop: Int, labels: [Int])] = []
    try stack.withContext { (context) throws in
      let labels = (0..<10).map { context.insert("Label", ["name": "\($0)"]) }
      for shop in 0..<80 {
        let made = context.insert("Shop", ["name": "\(shop)"])
        // Keys in the order of the shops.
        try context.save()
        for number in 0..<(shape.hasGoods(shop) ? Int.random(in: 1...3, using: &random) : 0) {
          let chosen = (0..<10).filter { _ in Bool.random(using: &random) }
          let code = "\(shop).\(number)"
          context.insert("Good", ["code": code, "shop": made])
            .setValue(NSSet(array: chosen.map { labels[$0] }), forKey: "labels")
          goods.append((code, shop, chosen))
        }
      }
      try context.save()
    }
    let doomed = Set((0..<80).filter { _ in Int.random(in: 0..<4, using: &random) > 0 })
    let left = goods.filter { !doomed.contains($0.shop) }
    try stack.withContext { (context) throws in
      for shop in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Shop")) {
        let number = (shop.value(forKey: "name") as? String).flatMap(Int.init)
        if doomed.contains(try #require(number)) { context.delete(shop) }
      }
      try context.save()
    }
    try stack.withContext { (context) throws in
      #expect(try context.goods().sorted() == left.map { "\($0.code):1" }.sorted(), "seed \(seed)")
      for label in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Label")) {
        let number = try #require((label.value(forKey: "name") as? String).flatMap(Int.init))
        let codes = (label.value(forKey: "goods") as? Set<NSManagedObject>)?
          .compactMap { $0.value(forKey: "code") as? String }
        let wanted = left.filter { $0.labels.contains(number) }.map(\.code)
        #expect(codes?.sorted() == wanted.sorted(), "seed \(seed), label \(number)")
      }
    }
    // Goods whose labels are looked for together.
    try stack.withContext { (context) throws in
      for good in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Good")) {
        context.delete(good)
      }
      try context.save()
      for label in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Label")) {
        #expect((label.value(forKey: "goods") as? NSSet)?.count == 0)
      }
    }
  }
}
