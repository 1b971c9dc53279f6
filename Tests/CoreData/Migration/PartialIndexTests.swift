import CoreDataSupport
import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Indexes of every kind, while their table stays, gets columns, is made anew or is called otherwise.
struct PartialIndexTests {
  enum Kind: String, CaseIterable { case plain, partial, formerPartial, descending, tree, unique }
  enum Change: String, CaseIterable { case column, type, rename, subentity, removal }

  private func model(_ kind: Kind, _ change: Change?) -> NSManagedObjectModel {
    let thing = ModelPart.entity(change == .rename ? "Item" : "Thing")
    thing.renamingIdentifier = "Thing"
    let size = ModelPart.attribute(
      "size", change == .type ? .doubleAttributeType : .integer32AttributeType)
    let date = ModelPart.attribute("date", .dateAttributeType)
    thing.properties = [size, date]
    if change != .removal {
      thing.properties.append(ModelPart.attribute("old"))
    }
    if change == .column {
      thing.properties.append(ModelPart.attribute("new"))
    }
    func index(_ type: NSFetchIndexElementType = .binary, ascending: Bool = true)
      -> NSFetchIndexDescription
    {
      let element = NSFetchIndexElementDescription(property: size, collationType: type)
      element.isAscending = ascending
      return NSFetchIndexDescription(name: "bySize", elements: [element])
    }
    switch kind {
    case .plain: thing.indexes = [index()]
    case .partial, .formerPartial:
      let partial = index()
      partial.partialIndexPredicate = NSPredicate(format: "date != nil AND #size > 3")
      thing.indexes = [partial]
    case .descending: thing.indexes = [index(ascending: false)]
    case .tree: thing.indexes = [index(.rTree)]
    case .unique: thing.uniquenessConstraints = [["size"]]
    }
    let model = NSManagedObjectModel()
    model.entities = [thing]
    if change == .subentity {
      let child = ModelPart.entity("Special")
      thing.subentities = [child]
      model.entities.append(child)
    }
    return model
  }

  private func schema(_ url: URL) throws -> Set<String> {
    try Set(
      PlainSQL(url: url).rows(
        "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND type IN ('index', 'trigger')"))
  }

  @Test(arguments: Sample.of(Kind.allCases, Change.allCases))
  func everyKindOfIndexLastsThroughEveryChange(_ kind: Kind, _ change: Change) throws {
    let url = try VersionFolder.makeStore(
      .sqlite, model(kind, nil), [["size": 5, "date": Date()], ["size": 7]])
    if kind == .formerPartial {
      try PlainSQL(url: url).execute("DROP INDEX Z_Thing_bySize")
      try PlainSQL(url: url).execute(
        "CREATE INDEX Z_Thing_bySize ON ZTHING (ZSIZE COLLATE BINARY ASC) WHERE (ZTHING.ZDATE IS NOT NULL "
          + "AND ZTHING.ZSIZE > 3)")
    }
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model(kind, change))
    let plan = try coordinator.migrationPlan(
      forStoreAt: url, type: .sqlite, options: VersionFolder.migrating, rehearsing: true)
    #expect(plan.isPossible, "\(plan)")
    let store = try coordinator.addPersistentStore(
      type: .sqlite, at: url, options: VersionFolder.migrating)
    try coordinator.remove(store)
    let fresh = try VersionFolder.makeStore(.sqlite, model(kind, change), [])
    #expect(try schema(url) == schema(fresh))
    #expect(try PlainSQL(url: url).rows("PRAGMA integrity_check") == ["ok"])
    if kind == .partial {
      #expect(try schema(url).contains { $0.contains("WHERE") && !$0.contains("ZTHING.") })
    }
  }
}
