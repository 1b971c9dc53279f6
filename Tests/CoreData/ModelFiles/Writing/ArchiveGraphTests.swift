import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// The archives that are written are, object by object, those that Apple's compiler wrote.
@Suite(.enabled(if: Corpus.isNamed, Corpus.reason))
struct ArchiveGraphTests {
  @Test func compiledModelsAreThoseOfAppleObjectByObject() throws {
    for url in try Corpus.urls(under: "compiled", suffix: ".mom") {
      let real = try Data(contentsOf: url)
      let model = try NSManagedObjectModel(archivedData: real, file: url.path)
      let ours = try ArchiveGraph(model.compiledData())
      let theirs = try ArchiveGraph(real)
      #expect(theirs.lines.count > 30)
      let missing = theirs.lines.subtracting(ours.lines).sorted()
      let added = ours.lines.subtracting(theirs.lines).sorted()
      #expect(
        missing.isEmpty && added.isEmpty,
        "\(url.lastPathComponent): - \(missing.prefix(12)) + \(added.prefix(12))")
    }
  }

  @Test func aCompiledMappingModelIsThatOfAppleObjectByObject() throws {
    let source = MappingPackage(
      url: try Corpus.url("models/CoreDataPlus/V2toV3.xcmappingmodel"))
    let ours = try ArchiveGraph(source.compiled())
    let theirs = try ArchiveGraph(Corpus.data("compiled/CoreDataPlus/V2toV3.cdm"))
    #expect(theirs.lines.count > 100)
    #expect(ours.lines.subtracting(theirs.lines).sorted() == [])
    #expect(theirs.lines.subtracting(ours.lines).sorted() == [])
  }
}

/// A keyed archive as lines `path: class or value`, with the names of the classes' ancestors.
///
/// Sets and dictionaries have no order here; an object that contains itself is told by the name of its class
/// alone.
struct ArchiveGraph {
  private(set) var lines: Set<String> = []
  private let objects: [Any]
  private var open: Set<Int> = []

  init(_ data: Data) throws {
    let list = try #require(BinaryPropertyListReader.value(of: data) as? [String: Any])
    objects = try #require(list["$objects"] as? [Any])
    let top = try #require(list["$top"] as? [String: Any])
    for (key, value) in list where key != "$objects" && key != "$top" {
      lines.insert("\(key): \(value)")
    }
    for (key, value) in top { try add(value, key) }
  }

  private mutating func add(_ value: Any, _ path: String) throws {
    if let reference = value as? ArchiveReference {
      try add(at: reference.identifier, path)
    } else if let list = value as? [Any] {
      lines.insert("\(path): list of \(list.count)")
      for (place, element) in list.enumerated() { try add(element, "\(path)[\(place)]") }
    } else {
      lines.insert("\(path): inline \(text(value))")
    }
  }

  private func text(_ value: Any) -> String {
    guard let number = value as? NSNumber else { return "\(type(of: value)) \(value)" }
    let kind = String(cString: number.objCType)
    return "\(kind == "c" ? "flag" : ["d", "f"].contains(kind) ? "real" : "integer") \(number)"
  }

  private mutating func add(at identifier: Int, _ path: String) throws {
    let object = objects[identifier]
    guard let fields = object as? [String: Any], let type = fields["$class"] else {
      lines.insert("\(path): \(text(object))")
      return
    }
    let reference = try #require(KeyedArchive.identifier(type))
    let record = try #require(objects[reference] as? [String: Any])
    let names = try #require(record["$classes"] as? [String])
    let isNew = open.insert(identifier).inserted
    // The root leads to entities and these to their properties; what leads elsewhere is told by name.
    let depth = path.count { $0 == "/" }
    let isElsewhere =
      (names[0] == "NSManagedObjectModel" && depth > 0)
      || (names[0] == "NSEntityDescription" && depth > 2)
      || (names.contains("NSPropertyDescription") && depth > 4 && !path.contains("Composite"))
    guard isNew, !isElsewhere else {
      lines.insert("\(path): see \(names[0])")
      if isNew { open.remove(identifier) }
      return
    }
    defer { open.remove(identifier) }
    // Apple's own files have either class for the arguments of a function.
    let isArguments = path.hasSuffix("/NSArguments")
    lines.insert("\(path): \(isArguments ? ["NSArray"] : names)")
    if let keys = fields["NS.keys"] as? [Any], let values = fields["NS.objects"] as? [Any] {
      for (key, value) in zip(keys, values) {
        let name = try #require(KeyedArchive.identifier(key)).description
        try add(value, "\(path)/{\(objects[Int(name) ?? 0])}")
      }
      return
    }
    if names[0] == "NSSet" {
      let count = (fields["NS.objects"] as? [Any])?.count ?? 0
      lines.insert("\(path): set of \(count)")
      return
    }
    for (key, value) in fields where key != "$class" { try add(value, "\(path)/\(key)") }
  }
}
