import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Archives that nobody should have written end in an error, soon.
struct DamagedArchiveTests {
  private func makeArchive() throws -> Data {
    try ApplicationModels.model("Employees").archivedData()
  }

  private func archive(root: Int = 1, objects: [Any]) throws -> Data {
    try BinaryPropertyList.data([
      "$version": 100_000, "$archiver": "NSKeyedArchiver", "$top": ["root": reference(root)],
      "$objects": objects,
    ])
  }

  private func reference(_ number: Int) -> ArchiveBuilder.Reference {
    ArchiveBuilder.Reference(identifier: number)
  }

  private func classRecord(_ name: String) -> [String: Any] {
    ["$classname": name, "$classes": [name, "NSObject"]]
  }

  @Test(arguments: [Data(), Data("bplist00".utf8), Data("<plist>".utf8), Data(count: 4096)])
  func whatIsNoPropertyListIsAnError(data: Data) {
    #expect(throws: ModelFileError.self) { try NSManagedObjectModel(archivedData: data) }
  }

  @Test func anotherRootIsAnError() throws {
    let data = try archive(objects: [
      "$null", ["$class": reference(2), "NS.objects": [Any]()], classRecord("NSArray"),
    ])
    let error = #expect(throws: ModelFileError.self) {
      try NSManagedObjectModel(archivedData: data, file: "odd.mom")
    }
    #expect(error?.file == "odd.mom")
    #expect(error?.problem.contains("NSManagedObjectModel") == true)
  }

  @Test func anEntityThatIsItsOwnAncestorIsAnError() throws {
    let data = try archive(objects: [
      "$null",
      ["$class": reference(2), "NSEntities": reference(3)],
      classRecord("NSManagedObjectModel"),
      ["$class": reference(4), "NS.keys": [reference(5)], "NS.objects": [reference(6)]],
      classRecord("NSDictionary"),
      "Loop",
      [
        "$class": reference(7), "NSEntityName": reference(5), "NSSuperentity": reference(6),
        "NSProperties": reference(0),
      ] as [String: Any],
      classRecord("NSEntityDescription"),
    ])
    let error = #expect(throws: ModelFileError.self) {
      try NSManagedObjectModel(archivedData: data)
    }
    #expect(error?.problem.contains("own ancestor") == true)
  }

  /// Each list holds the next one twenty times: 20^30 values, in a file of a few kilobytes.
  @Test func listsThatMultiplyAreAnError() throws {
    var objects: [Any] = [
      "$null",
      ["$class": reference(2), "NSVersionIdentifiers": reference(4)],
      classRecord("NSManagedObjectModel"), classRecord("NSArray"),
    ]
    for level in 0..<30 {
      let next = [Any](repeating: reference(5 + level), count: 20)
      objects.append(["$class": reference(3), "NS.objects": next])
    }
    objects.append("end")
    let data = try archive(objects: objects)
    #expect(throws: ModelFileError.self) { try NSManagedObjectModel(archivedData: data) }
  }

  @Test func aListThatHoldsItselfIsAnError() throws {
    let data = try archive(objects: [
      "$null",
      ["$class": reference(2), "NSVersionIdentifiers": reference(4)],
      classRecord("NSManagedObjectModel"), classRecord("NSArray"),
      ["$class": reference(3), "NS.objects": [reference(4)]],
    ])
    #expect(throws: ModelFileError.self) { try NSManagedObjectModel(archivedData: data) }
  }

  @Test func archivesCutShortAreErrors() throws {
    let data = try makeArchive()
    for length in stride(from: 0, to: data.count, by: 41) {
      #expect(throws: ModelFileError.self) {
        try NSManagedObjectModel(archivedData: data.prefix(length))
      }
    }
  }

  /// Whatever a changed byte makes of an archive, it is a model or an error.
  @Test func changedBytesNeverDoHarm() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("changedBytesNeverDoHarm: seed \(seed)")
    var generator = SplitMix64(seed: seed)
    let data = try makeArchive()
    var errors = 0
    for _ in 0..<1000 {
      var changed = data
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let index = Int.random(in: 8..<changed.count, using: &generator)
        changed[index] = UInt8.random(in: 0...255, using: &generator)
      }
      do {
        _ = try NSManagedObjectModel(archivedData: changed)
      } catch is ModelFileError {
        errors += 1
      }
    }
    #expect(errors > 0, "seed \(seed)")
  }
}
