import CoreData
import CoreDataSupport
import Testing

@testable import CoreDataSamples

/// Batch insertions that replace rows of an entity with several uniqueness constraints, against an array that does the
/// same.
@Suite struct SeveralConstraintsBatchTests {
  private struct Good: Equatable {
    var code: String?
    var shop: String?
    var shelf: Int?
    var title: String?

    /// Nil is equal to nothing.
    func collides(_ other: Good) -> Bool {
      code != nil && code == other.code
        || shop != nil && shelf != nil && shop == other.shop && shelf == other.shelf
    }

    var values: [String: Any] {
      var values: [String: Any] = [:]
      values["code"] = code ?? NSNull()
      values["shop"] = shop ?? NSNull()
      values["shelf"] = shelf ?? NSNull()
      if let title { values["title"] = title }
      return values
    }

    var text: String {
      "\(code ?? "-") \(shop ?? "-") \(shelf.map(String.init) ?? "-") \(title ?? "-")"
    }
  }

  private struct Collision: Error {}

  /// The rows after a batch; throws when a row collides with two others.
  private func inserted(_ batch: [Good], into rows: [Good], keepsRest: Bool) throws -> [Good] {
    var rows = rows
    for good in batch {
      let places = rows.indices.filter { rows[$0].collides(good) }
      if places.count > 1 { throw Collision() }
      guard let place = places.first else {
        rows.append(good)
        continue
      }
      var new = good
      if keepsRest { new.title = good.title ?? rows[place].title }
      rows[place] = new
    }
    return rows
  }

  private static func model() -> NSManagedObjectModel {
    let good = NSEntityDescription()
    good.name = "Good"
    good.properties = [
      ModelPart.attribute("code"), ModelPart.attribute("shop"),
      ModelPart.attribute("shelf", .integer64AttributeType),
      ModelPart.attribute("title"),
    ]
    good.uniquenessConstraints = [["code"], ["shop", "shelf"]]
    let model = NSManagedObjectModel()
    model.entities = [good]
    return model
  }

  @Test(arguments: StoreKind.all.filter(\.speaksSQL), [true, false])
  func rowsAreReplacedByWhicheverConstraint(_ kind: StoreKind, keepsRest: Bool) throws {
    let seed = UInt64(keepsRest ? 20 : 21)
    var random = SplitMix64(seed: seed)
    let stack = try TestStack(kind, model: Self.model())
    var rows: [Good] = []
    var collisions = 0
    for round in 0..<60 {
      let batch = (0..<Int.random(in: 1...4, using: &random)).map { number in
        Good(
          code: ["a", "b", "c", "d", nil].randomElement(using: &random)!,
          shop: ["x", "y", "z", nil].randomElement(using: &random)!,
          shelf: [1, 2, 3, nil].randomElement(using: &random)!,
          title: Bool.random(using: &random) ? "\(round).\(number)" : nil)
      }
      let wanted = Result { try inserted(batch, into: rows, keepsRest: keepsRest) }
      try stack.withContext { (context) throws in
        context.mergePolicy =
          keepsRest ? NSMergePolicy.mergeByPropertyObjectTrump : NSMergePolicy.overwrite
        let request = NSBatchInsertRequest(entityName: "Good", objects: batch.map(\.values))
        request.resultType = .objectIDs
        switch wanted {
        case .success(let new):
          let result = try context.execute(request) as? NSBatchInsertResult
          #expect((result?.result as? [NSManagedObjectID])?.count == batch.count)
          rows = new
        case .failure:
          collisions += 1
          #expect(throws: (any Error).self, "seed \(seed), round \(round)") {
            try context.execute(request)
          }
        }
        #expect(
          try found(context) == rows.map(\.text).sorted(), "seed \(seed), round \(round)")
      }
    }
    // Both ways were gone.
    #expect(collisions > 5 && collisions < 55)
  }

  private func found(_ context: NSManagedObjectContext) throws -> [String] {
    try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Good")).map { object in
      Good(
        code: object.value(forKey: "code") as? String,
        shop: object.value(forKey: "shop") as? String,
        shelf: object.value(forKey: "shelf") as? Int,
        title: object.value(forKey: "title") as? String
      ).text
    }.sorted()
  }
}
