import Foundation

/// A keyed archive, read as a property list.
///
///     $version   100000
///     $archiver  "NSKeyedArchiver"
///     $top       { root: identifier }
///     $objects   [ "$null", a string, a number, { key: value or identifier, $class: identifier },
///                … ]
///     a class    { $classname: "NSSet", $classes: [ "NSSet", "NSObject" ] }
///
/// Foundation's unarchiver overflows the stack on the cycles of models (entity ↔ property), so
/// models read the table themselves. The size of a table does not limit the work: reading has a
/// budget of steps, so a small archive whose objects refer to each other many times ends in an
/// error.
package final class KeyedArchive {
  package static let deepest = 64

  package let file: String
  package let root: Int
  private let objects: [Any]
  private var budget: Int

  package init(data: Data, file: String) throws {
    self.file = file
    guard let table = BinaryPropertyListReader.value(of: data) as? [String: Any] else {
      throw ModelFileError(file: file, problem: "this is not a binary property list")
    }
    guard let objects = table["$objects"] as? [Any], let top = table["$top"] as? [String: Any]
    else {
      throw ModelFileError(file: file, problem: "this is not a keyed archive")
    }
    let identifiers = top["root"] ?? (top.count == 1 ? top.values.first : nil)
    guard let root = identifiers.flatMap(Self.identifier) else {
      throw ModelFileError(file: file, problem: "this keyed archive has no root object")
    }
    self.root = root
    self.objects = objects
    budget = 10_000 + 64 * objects.count
  }

  /// The number in an identifier (`CF$UID`), nil for any other value.
  package static func identifier(_ value: Any) -> Int? {
    (value as? ArchiveReference)?.identifier
  }

  package func error(_ problem: String) -> ModelFileError {
    ModelFileError(file: file, problem: "the archive is damaged: \(problem)")
  }

  /// The object with an identifier; nil for `$null`.
  package func object(at identifier: Int) throws -> Any? {
    budget -= 1
    guard budget > 0 else { throw error("its objects refer to each other without end") }
    guard objects.indices.contains(identifier) else {
      throw error("there is no object \(identifier)")
    }
    let object = objects[identifier]
    return (object as? String) == "$null" ? nil : object
  }

  /// The record with an identifier; nil for `$null`.
  package func record(at identifier: Int) throws -> ArchiveRecord? {
    guard let object = try object(at: identifier) else { return nil }
    guard let fields = object as? [String: Any], let type = fields["$class"] else {
      throw error("object \(identifier) is not of any class")
    }
    return ArchiveRecord(
      archive: self, identifier: identifier, fields: fields, classNames: try classNames(of: type))
  }

  private func classNames(of value: Any) throws -> [String] {
    guard let identifier = Self.identifier(value),
      let table = try object(at: identifier) as? [String: Any],
      let name = table["$classname"] as? String
    else { throw error("a class is missing") }
    return [name] + ((table["$classes"] as? [String]) ?? []).filter { $0 != name }
  }
}
