import CoreData
import Foundation
import XCTest

/// A target's mapping model and policy are found without a word of code.
final class MappingModelTests: XCTestCase {
  private func model(_ version: String) throws -> NSManagedObjectModel {
    let package = try XCTUnwrap(Bundle.module.url(forResource: "Crates", withExtension: "momd"))
    return try XCTUnwrap(
      NSManagedObjectModel(contentsOf: package.appendingPathComponent(version + ".mom")))
  }

  func testTheBundleHasTheCompiledMappingModel() throws {
    let url = try XCTUnwrap(Bundle.module.url(forResource: "Crates1to2", withExtension: "cdm"))
    let mapping = try XCTUnwrap(NSMappingModel(contentsOf: url))
    XCTAssertEqual(mapping.entityMappings.map(\.name), ["CrateToCrate"])
    XCTAssertEqual(mapping.entityMappings.first?.mappingType, .customEntityMappingType)
    let (old, new) = (try model("Crates"), try model("Crates 2"))
    for bundles in [nil, [Bundle.module], [Bundle(for: CratePolicy.self)]] {
      XCTAssertEqual(
        NSMappingModel(from: bundles, forSourceModel: old, destinationModel: new), mapping)
    }
    XCTAssertNil(NSMappingModel(from: nil, forSourceModel: new, destinationModel: old))
  }

  func testAStoreIsMigratedByTheMappingModelOfItsTarget() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appendingPathComponent("Crates.sqlite")
    try fill(url)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try model("Crates 2"))
    // Not inferred, though it could be: the title is made of the name.
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url,
      options: [NSMigratePersistentStoresAutomaticallyOption: true])
    let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    let request = NSFetchRequest<NSManagedObject>(entityName: "Crate")
    request.sortDescriptors = [NSSortDescriptor(key: "count", ascending: true)]
    let crates = try context.fetch(request)
    XCTAssertEqual(crates.map { $0.value(forKey: "count") as? Int }, [0, 1, 2])
    XCTAssertEqual(
      crates.map { $0.value(forKey: "title") as? String },
      ["Crate of pears", "Crate of plums", "Crate of figs"])
    XCTAssertEqual(crates[2].value(forKey: "inside") as? NSManagedObject, crates[1])
  }

  /// Over the version between: by the compiled mapping model of the bundle, then by an inferred one. No step leads
  /// from the first to the last, whose `number` would be made of the first's `name`, a text.
  func testAStoreIsMigratedOverTheVersionThatTheMappingModelLeadsTo() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for type in [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType] {
      let url = folder.appendingPathComponent("Crates.\(type)")
      try fill(url, type)
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try model("Crates 3"))
      try coordinator.addPersistentStore(
        ofType: type, configurationName: nil, at: url,
        options: [
          NSMigratePersistentStoresAutomaticallyOption: true,
          NSInferMappingModelAutomaticallyOption: true,
        ])
      let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
      context.persistentStoreCoordinator = coordinator
      let request = NSFetchRequest<NSManagedObject>(entityName: "Crate")
      request.sortDescriptors = [NSSortDescriptor(key: "count", ascending: true)]
      let crates = try context.fetch(request)
      XCTAssertEqual(
        crates.map { $0.value(forKey: "label") as? String },
        ["Crate of pears", "Crate of plums", "Crate of figs"])
      XCTAssertEqual(crates.map { $0.value(forKey: "weight") as? Double }, [2.5, 2.5, 2.5])
      XCTAssertEqual(crates[2].value(forKey: "inside") as? NSManagedObject, crates[1])
    }
  }

  private func fill(_ url: URL, _ type: String = NSSQLiteStoreType) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try model("Crates"))
    let store = try coordinator.addPersistentStore(
      ofType: type, configurationName: nil, at: url)
    let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    var last: NSManagedObject?
    for (count, name) in ["pears", "plums", "figs"].enumerated() {
      let crate = NSEntityDescription.insertNewObject(forEntityName: "Crate", into: context)
      crate.setValue(count, forKey: "count")
      crate.setValue(name, forKey: "name")
      crate.setValue(last, forKey: "inside")
      last = crate
    }
    try context.save()
    try coordinator.remove(store)
  }
}
