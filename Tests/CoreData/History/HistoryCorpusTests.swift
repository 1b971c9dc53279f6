import CoreDataSupport
import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Stores of Apple's framework with a history.
@Suite(.enabled(if: Corpus.isNamed, Corpus.reason))
struct HistoryCorpusTests {
  static let names = ["CoreDataPlus/SampleModel2_V1", "CoreDataPlus/SampleModel2_V2"]

  private func open(
    _ name: String, options: [AnyHashable: Any] = HistoryStack.tracking
  ) throws -> StoreFixture {
    let folder = try StoreFixture.makeFolder()
    let url = folder.appendingPathComponent("Store.sqlite")
    try FileManager.default.copyItem(at: Corpus.url("stores/\(name).sqlite"), to: url)
    let content = try SQLiteConnection(path: url.path, access: .readWrite, timeout: 5)
      .withStatement("SELECT Z_CONTENT FROM Z_MODELCACHE") {
        _ = try $0.step()
        return $0.data(0) ?? Data()
      }
    let model = try ModelCache.model(from: content, file: url.path)
    // Its classes are not here.
    for entity in model.entities { entity.managedObjectClassName = "NSManagedObject" }
    // The version hash of an entity with a derived attribute is not known to be reproducible.
    let ignoring = options.merging([NSIgnorePersistentStoreVersioningOption: true]) { $1 }
    return try StoreFixture(model, in: folder, options: ignoring)
  }

  private func transactions(_ fixture: StoreFixture) throws -> [NSPersistentHistoryTransaction] {
    let context = fixture.coordinator.makeContext()
    return try context.performAndWait {
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: .distantPast)
      let result = try context.execute(request) as? NSPersistentHistoryResult
      return try #require(result?.result as? [NSPersistentHistoryTransaction])
    }
  }

  @Test(arguments: names) func theHistoryIsWhatPlainSQLGives(_ name: String) throws {
    let fixture = try open(name)
    let plain = PlainSQL(url: fixture.url)
    let found = try transactions(fixture)
    let expected = try plain.rows(
      "SELECT t.Z_PK, t.ZTIMESTAMP, IFNULL(a.ZNAME, ''), b.ZNAME, IFNULL(c.ZNAME, ''), p.ZNAME "
        + "FROM ATRANSACTION t LEFT JOIN ATRANSACTIONSTRING a ON a.Z_PK = t.ZAUTHORTS "
        + "LEFT JOIN ATRANSACTIONSTRING b ON b.Z_PK = t.ZBUNDLEIDTS "
        + "LEFT JOIN ATRANSACTIONSTRING c ON c.Z_PK = t.ZCONTEXTNAMETS "
        + "LEFT JOIN ATRANSACTIONSTRING p ON p.Z_PK = t.ZPROCESSIDTS ORDER BY t.Z_PK")
    #expect(!expected.isEmpty)
    #expect(found.map(Self.text) == expected)
    for transaction in found { try check(transaction, fixture, plain) }
  }

  private static func text(_ transaction: NSPersistentHistoryTransaction) -> String {
    [
      "\(transaction.transactionNumber)",
      "\(transaction.timestamp.timeIntervalSinceReferenceDate)", transaction.author ?? "",
      transaction.bundleID, transaction.contextName ?? "", transaction.processID,
    ].joined(separator: "|")
  }

  private func check(
    _ transaction: NSPersistentHistoryTransaction, _ fixture: StoreFixture, _ plain: PlainSQL
  ) throws {
    let expected = try plain.rows(
      "SELECT c.Z_PK, c.ZCHANGETYPE, e.Z_NAME, c.ZENTITYPK FROM ACHANGE c "
        + "JOIN Z_PRIMARYKEY e ON e.Z_ENT = c.ZENTITY "
        + "WHERE c.ZTRANSACTIONID = \(transaction.transactionNumber) ORDER BY c.Z_PK")
    let found = try #require(transaction.changes).map { change in
      "\(change.changeID)|\(change.changeType.rawValue)|\(change.changedObjectID.entity.name ?? "")|"
        + "\(change.changedObjectID.uriRepresentation().lastPathComponent.dropFirst())"
    }
    #expect(found == expected)
    #expect(!found.isEmpty)
  }

  @Test(arguments: names) func theHistoryGoesOn(_ name: String) throws {
    let fixture = try open(name)
    let plain = PlainSQL(url: fixture.url)
    let (before, schema) = (try transactions(fixture), try plain.schema)
    let context = fixture.coordinator.makeContext()
    context.transactionAuthor = "later"
    try context.performAndWait {
      let author = try #require(
        try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Author")).first)
      author.setValue(99, forKey: "age")
      try context.save()
    }
    let after = try transactions(fixture)
    #expect(after.dropLast() == before[...])
    #expect(after.last?.author == "later")
    #expect(after.last?.transactionNumber == (before.last?.transactionNumber ?? 0) + 1)
    #expect(after.last?.changes?.first?.updatedProperties?.map(\.name) == ["age"])
    #expect(try plain.schema == schema)
    #expect(
      try plain.rows(
        "SELECT (SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = 16001) = MAX(Z_PK) FROM ACHANGE")
        == ["1"])
  }

  @Test(arguments: names) func withoutTheOptionTheStoreIsReadOnlyAndStaysAsItIs(
    _ name: String
  ) throws {
    let fixture = try open(name, options: [:])
    #expect(fixture.store.isReadOnly)
    let bytes = try Data(contentsOf: fixture.url)
    #expect(bytes == (try Corpus.data("stores/\(name).sqlite")))
    #expect(try !transactions(fixture).isEmpty)
  }
}
