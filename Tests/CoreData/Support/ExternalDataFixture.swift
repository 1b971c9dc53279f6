import CoreDataSupport
import Foundation
import Testing

@testable import CoreData

/// A SQLite store of pictures, whose bytes may be kept in files of their own, with contexts on it.
final class ExternalDataFixture {
  let folder: URL
  let coordinator: NSPersistentStoreCoordinator
  let context: NSManagedObjectContext

  var url: URL { folder.appendingPathComponent("Store.sqlite") }
  var externalFolder: URL { folder.appendingPathComponent(".Store_SUPPORT/_EXTERNAL_DATA") }

  /// Albums have pictures, which go with them; a picture has bytes, and words that are archived.
  static func model() -> NSManagedObjectModel {
    let (album, picture) = (ModelPart.entity("Album"), ModelPart.entity("Picture"))
    let pictures = ModelPart.relationship("pictures", to: picture, maxCount: 0)
    let pictureAlbum = ModelPart.relationship("album", to: album, maxCount: 1)
    ModelPart.connect(pictures, pictureAlbum)
    pictures.deleteRule = .cascadeDeleteRule
    pictureAlbum.deleteRule = .nullifyDeleteRule
    album.properties = [ModelPart.attribute("title"), pictures]
    picture.properties = [
      ModelPart.attribute("name") { $0.isOptional = true },
      ModelPart.attribute("bytes", .binaryDataAttributeType) {
        $0.allowsExternalBinaryDataStorage = true
      },
      ModelPart.attribute("words", .transformableAttributeType) {
        $0.allowsExternalBinaryDataStorage = true
      },
      pictureAlbum,
    ]
    picture.uniquenessConstraints = [["name"]]
    let model = NSManagedObjectModel()
    model.entities = [album, picture]
    return model
  }

  init(in folder: URL? = nil, options: [AnyHashable: Any]? = nil) throws {
    self.folder = try folder ?? StoreFixture.makeFolder()
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
    context = NSManagedObjectContext(.privateQueue)
    try coordinator.addPersistentStore(
      type: .sqlite, at: self.folder.appendingPathComponent("Store.sqlite"), options: options)
    context.persistentStoreCoordinator = coordinator
  }

  func makeContext() -> NSManagedObjectContext { coordinator.makeContext() }

  func close() throws {
    context.performAndWait { context.reset() }
    try coordinator.removeStores()
  }

  /// Bytes that compress to nothing shorter, the same for the same seed.
  static func bytes(_ count: Int, seed: UInt64 = 1) -> Data {
    var generator = SplitMix64(seed: seed)
    var data = Data(capacity: count + 8)
    while data.count < count {
      withUnsafeBytes(of: generator.next()) { data.append(contentsOf: $0) }
    }
    return data.prefix(count)
  }

  func perform<Result>(_ body: (NSManagedObjectContext) throws -> Result) rethrows -> Result {
    try context.performAndWait { try body(context) }
  }

  @discardableResult
  func insert(_ name: String, _ bytes: Data?) throws -> NSManagedObjectID {
    try perform { context in
      let picture = NSEntityDescription.insertNewObject(forEntityName: "Picture", into: context)
      picture.setValue(name, forKey: "name")
      picture.setValue(bytes, forKey: "bytes")
      try context.save()
      return picture.objectID
    }
  }

  /// The bytes as another stack on the file reads them.
  func storedBytes(_ name: String) throws -> Data? {
    let other = try ExternalDataFixture(
      in: folder, options: [NSReadOnlyPersistentStoreOption: true])
    return try other.perform { context in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Picture")
      request.predicate = NSPredicate(format: "name == %@", name)
      return try context.fetch(request).first?.value(forKey: "bytes") as? Data
    }
  }

  /// The names of the files.
  var files: Set<String> {
    // No folder: no files.
    let names = try? FileManager.default.contentsOfDirectory(atPath: externalFolder.path)
    return Set(names ?? [])
  }

  /// The names that plain SQL finds in the rows.
  func namesInRows() throws -> Set<String> {
    let plain = PlainSQL(url: url)
    return Set(
      try ["ZBYTES", "ZWORDS"].flatMap { column in
        try plain.rows(
          "SELECT CAST(substr(\(column), 2, 36) AS TEXT) FROM ZPICTURE "
            + "WHERE hex(substr(\(column), 1, 1)) = '02' AND length(\(column)) = 38 "
            + "AND hex(substr(\(column), 38)) = '00'")
      })
  }

  func expectConsistentFiles(_ count: Int, _ comment: Comment? = nil) throws {
    #expect(files.count == count, comment)
    #expect(try namesInRows() == files, comment)
  }
}
