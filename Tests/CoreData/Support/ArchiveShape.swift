import Foundation
import Testing

@testable import CoreData

/// What an archive looks like from outside: its classes and the keys of their objects.
enum ArchiveShape {
  static func keySets(of data: Data) throws -> [String: Set<Set<String>>] {
    let objects = try objects(of: data)
    var sets: [String: Set<Set<String>>] = [:]
    for case let record as [String: Any] in objects {
      guard let type = record["$class"].flatMap(KeyedArchive.identifier),
        let name = (objects[type] as? [String: Any])?["$classname"] as? String
      else { continue }
      sets[name, default: []].insert(Set(record.keys))
    }
    return sets
  }

  static func classes(of data: Data) throws -> [String: [String]] {
    var classes: [String: [String]] = [:]
    for case let record as [String: Any] in try objects(of: data) {
      guard let name = record["$classname"] as? String else { continue }
      classes[name] = record["$classes"] as? [String]
    }
    return classes
  }

  private static func objects(of data: Data) throws -> [Any] {
    let list = BinaryPropertyListReader.value(of: data) as? [String: Any]
    return try #require(list?["$objects"] as? [Any])
  }
}
