import CoreDataSupport
import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Stores that this package wrote before it hashed composite attributes and several uniqueness constraints as Apple
/// does.
@Suite struct FormerStoreTests {
  private static let kinds: [StoreKind] = [.sqlite, .xml, .binary]

  /// A tree of entities with composites, nested ones too, and constraints not in the order of the alphabet.
  private static func model(_ change: (NSEntityDescription) -> Void = { _ in })
    -> NSManagedObjectModel
  {
    let (place, shop, plain) = (
      ModelPart.entity("Place"), ModelPart.entity("Shop"), ModelPart.entity("Plain")
    )
    place.properties = [
      PlacesModel.composite(
        "home",
        [
          ModelPart.attribute("code", .integer32AttributeType),
          PlacesModel.composite("area", [ModelPart.attribute("city")]),
        ]), ModelPart.attribute("city"),
      ModelPart.attribute("uuid", .UUIDAttributeType),
      ModelPart.attribute("identifier"),
    ]
    place.uniquenessConstraints = [["uuid"], ["identifier"]]
    shop.properties = [
      PlacesModel.composite("branch", [ModelPart.attribute("city")])
    ]
    place.subentities = [shop]
    plain.properties = [ModelPart.attribute("name")]
    change(place)
    let model = NSManagedObjectModel()
    model.entities = [place, shop, plain]
    return model
  }

  private func url(_ kind: StoreKind, in folder: URL) -> URL {
    folder.appendingPathComponent("Store.\(kind == .sqlite ? "sqlite" : "data")")
  }

  private func open(
    _ kind: StoreKind, in folder: URL, _ model: NSManagedObjectModel = model(),
    isReadOnly: Bool = false
  ) throws -> NSPersistentStoreCoordinator {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: kind.rawValue, configurationName: nil, at: url(kind, in: folder),
      options: isReadOnly ? [NSReadOnlyPersistentStoreOption: true] : nil)
    return coordinator
  }

  private func close(_ coordinator: NSPersistentStoreCoordinator) throws {
    try coordinator.removeStores()
  }

  private func metadata(_ kind: StoreKind, in folder: URL) throws -> [String: Any] {
    try NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: kind.rawValue, at: url(kind, in: folder))
  }

  /// A filled store in its former state, and what is in it.
  private func make(_ kind: StoreKind) throws -> (folder: URL, contents: [String]) {
    let folder = try StoreFixture.makeFolder()
    let coordinator = try open(kind, in: folder)
    var graph = RandomGraph(seed: 4)
    let contents = try graph.fill(coordinator)
    try close(coordinator)
    guard kind == .sqlite else {
      // The former hashes, from a file that the script has made.
      let other = try make(.sqlite).folder
      let former = try metadata(.sqlite, in: other)
      var metadata = try metadata(kind, in: folder)
      for key in [
        NSStoreModelVersionHashesKey, StoreMetadataKey.hashesDigest,
        NSPersistentStoreModelVersionChecksumKey,
      ] where metadata[key] != nil { metadata[key] = former[key] }
      try NSPersistentStoreCoordinator.setMetadata(
        metadata, forPersistentStoreOfType: kind.rawValue, at: url(kind, in: folder))
      return (folder, contents)
    }
    let result = try StoreChecker.run("make_former_store.py", [url(kind, in: folder).path])
    try #require(result.status == 0, "\(result.text)")
    return (folder, contents)
  }

  @Test(arguments: kinds) func itOpensAndIsBroughtToApplesForm(_ kind: StoreKind) throws {
    let (folder, contents) = try make(kind)
    let model = Self.model()
    let former = try metadata(kind, in: folder)
    #expect(
      !model.isConfiguration(withName: nil, compatibleWithStoreMetadata: former),
      "the hashes are the former ones")
    var coordinator = try open(kind, in: folder)
    #expect(try RandomGraph.contents(coordinator) == contents)
    if kind != .sqlite {
      // Written with the next save.
      var graph = RandomGraph(seed: 5)
      try graph.change(coordinator)
    }
    let changed = try RandomGraph.contents(coordinator)
    try close(coordinator)
    let now = try metadata(kind, in: folder)
    #expect(model.isConfiguration(withName: nil, compatibleWithStoreMetadata: now))
    #expect(now[NSStoreUUIDKey] as? String == former[NSStoreUUIDKey] as? String)
    #expect(now.keys.sorted() == former.keys.sorted())
    coordinator = try open(kind, in: folder)
    #expect(try RandomGraph.contents(coordinator) == changed)
    try close(coordinator)
    guard kind == .sqlite else { return }
    let result = try StoreChecker.checkRows(url(kind, in: folder))
    #expect(result.status == 0, "\(result.text)")
    let kept = try NSPersistentStoreCoordinator.cachedModelForPersistentStore(
      at: url(kind, in: folder))
    #expect(kept.entityVersionHashesByName == model.entityVersionHashesByName)
  }

  @Test(arguments: ["WAL", "DELETE"], FaultyFileSystem.Fault.allCases)
  func itIsBroughtThereWholeOrNotAtAll(_ journal: String, _ fault: FaultyFileSystem.Fault) throws {
    let (former, contents) = try make(.sqlite)
    try FaultDrill.run(fault, journal) { drill in
      let url = drill.folder.appendingPathComponent("Store.sqlite")
      try FileManager.default.copyItem(at: self.url(.sqlite, in: former), to: url)
      _ = drill.whileFailing {
        try StoreFixture(Self.model(), at: url, options: drill.options).close()
      }
      let again = try StoreFixture(Self.model(), at: url, options: drill.options)
      #expect(try RandomGraph.contents(again.coordinator) == contents, drill.comment)
      try again.close()
      #expect(
        Self.model().isConfiguration(
          withName: nil, compatibleWithStoreMetadata: try metadata(.sqlite, in: drill.folder)),
        drill.comment)
      return url
    }
  }

  @Test(arguments: kinds) func whoReadsOnlyLeavesItAsItIs(_ kind: StoreKind) throws {
    let (folder, contents) = try make(kind)
    let before = try Data(contentsOf: url(kind, in: folder))
    let coordinator = try open(kind, in: folder, isReadOnly: true)
    #expect(try RandomGraph.contents(coordinator) == contents)
    try close(coordinator)
    #expect(try Data(contentsOf: url(kind, in: folder)) == before)
  }

  @Test(arguments: kinds) func anotherModelIsRefusedAsEver(_ kind: StoreKind) throws {
    let (folder, _) = try make(kind)
    let others = [
      Self.model { $0.properties.append(ModelPart.attribute("more")) },
      Self.model { place in
        let home = place.attributesByName["home"] as? NSCompositeAttributeDescription
        home?.elements.append(ModelPart.attribute("more"))
      },
    ]
    let before = try metadata(kind, in: folder)
    for other in others {
      let error = #expect(throws: NSError.self) { try open(kind, in: folder, other) }
      #expect(error?.code == NSPersistentStoreIncompatibleVersionHashError)
    }
    #expect(try NSDictionary(dictionary: metadata(kind, in: folder)) == before as NSDictionary)
  }
}
