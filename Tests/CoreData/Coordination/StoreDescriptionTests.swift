import Foundation
import Testing

@testable import CoreData

/// Descriptions of stores, and containers.
@Suite struct StoreDescriptionTests {
  @Test func aDescriptionMigratesASQLiteStoreByDefault() {
    let description = NSPersistentStoreDescription(url: URL(fileURLWithPath: "/tmp/a.sqlite"))
    #expect(description.type == NSSQLiteStoreType)
    #expect(description.shouldMigrateStoreAutomatically)
    #expect(description.shouldInferMappingModelAutomatically)
    #expect(!description.isReadOnly)
    #expect(!description.shouldAddStoreAsynchronously)
    #expect(description.timeout == 240)
    #expect(description.configuration == nil)
    #expect(NSPersistentStoreDescription().url?.path == "/dev/null")
  }

  @Test func propertiesAreOptions() {
    let description = NSPersistentStoreDescription()
    description.isReadOnly = true
    description.setOption(NSNumber(value: 3), forKey: "mine")
    description.setValue("DELETE" as NSString, forPragmaNamed: "journal_mode")
    #expect(description.options[NSReadOnlyPersistentStoreOption] as? Bool == true)
    #expect(description.options["mine"] as? Int == 3)
    #expect(description.sqlitePragmas["journal_mode"] as? String == "DELETE")
    let pragmas = StoreOptions(description.options).pragmas
    #expect(pragmas.map(\.name) == ["journal_mode"])
    #expect(pragmas.map(\.value) == ["DELETE"])
    description.setOption(nil, forKey: "mine")
    #expect(description.options["mine"] == nil)
  }

  @Test func aCopyHasEverything() throws {
    let description = NSPersistentStoreDescription(url: URL(fileURLWithPath: "/tmp/a"))
    description.type = NSInMemoryStoreType
    description.configuration = "Small"
    description.shouldAddStoreAsynchronously = true
    description.timeout = 3
    let copy = try #require(description.copy() as? NSPersistentStoreDescription)
    #expect(copy.type == NSInMemoryStoreType)
    #expect(copy.configuration == "Small")
    #expect(copy.url == description.url)
    #expect(copy.shouldAddStoreAsynchronously)
    #expect(copy.timeout == 3)
  }
}
