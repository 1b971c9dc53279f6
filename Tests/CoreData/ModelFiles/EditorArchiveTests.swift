import Foundation
import Testing

@testable import CoreData
@testable import ModelDocuments

/// Models of Xcode 4.2 and older, which are archives of the editor's own objects: what is not in any file of the corpus.
struct EditorArchiveTests {
  /// A model of the entities First and Second, both in the configuration “Both”, the second one in “One”.
  private func archive(
    _ configuration: (ArchiveBuilder, _ name: String, _ entities: [ArchiveReference])
      -> ArchiveReference
  ) throws -> Data {
    let builder = ArchiveBuilder()
    let root = builder.reserve()
    let entities = ["First", "Second"].map { name in
      builder.add(class: ["XDPMEntity", "NSObject"], ["_name": builder.string(name)])
    }
    let classes = builder.dictionary(
      [("First", entities[0]), ("Second", entities[1])], class: ["NSDictionary", "NSObject"])
    let package = builder.add(
      class: ["XDPackage", "NSObject"], ["XDBucketForClassesstorage": classes])
    let configurations = builder.dictionary(
      [
        ("Both", configuration(builder, "Both", entities)),
        ("One", configuration(builder, "One", [entities[1]])),
      ], class: ["NSDictionary", "NSObject"])
    builder.fill(
      root, class: ["XDPMModel", "XDModel", "NSObject"],
      fields: ["_xd_rootPackage": package, "_configurationsByName": configurations])
    return try builder.data(root: root)
  }

  private func configurations(_ data: Data) throws -> [String: [String]] {
    let document = try ModelDocument(data: data, file: "Test.xcdatamodel/elements")
    return Dictionary(
      uniqueKeysWithValues: document.configurations.map { ($0.name, $0.entityNames.sorted()) })
  }

  private static let expected = ["Both": ["First", "Second"], "One": ["Second"]]

  @Test func aConfigurationIsAListOfItsEntities() throws {
    let data = try archive { builder, _, entities in
      builder.list(entities, class: ["NSArray", "NSObject"])
    }
    #expect(try configurations(data) == Self.expected)
  }

  @Test func aConfigurationIsAnObjectOfItsOwn() throws {
    let data = try archive { builder, name, entities in
      builder.add(
        class: ["XDPMConfiguration", "NSObject"],
        [
          "_name": builder.string(name),
          "_entities": builder.list(entities, class: ["NSMutableArray", "NSArray", "NSObject"]),
        ])
    }
    #expect(try configurations(data) == Self.expected)
  }

  @Test func aConfigurationMayBeEmpty() throws {
    let data = try archive { builder, name, _ in
      builder.add(
        class: ["XDPMConfiguration", "NSObject"],
        ["_name": builder.string(name), "_entities": ArchiveReference.null])
    }
    #expect(try configurations(data) == ["Both": [], "One": []])
  }
}
