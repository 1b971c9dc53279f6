import Foundation

/// Whether a keyed archive is whole, so that Foundation's unarchiver can be let on it: that one stops the
/// program at identifiers that lead nowhere and overflows the stack on cycles and deep nesting.
///
/// The work is bounded by the size of the data.
struct ArchiveCheck {
  private static let deepest = 200

  private let objects: [Any]
  private var isDone: [Bool]
  private var isUnderWay: [Bool]

  static func isWhole(_ data: Data) -> Bool {
    guard let table = BinaryPropertyListReader.value(of: data) as? [String: Any],
      let objects = table["$objects"] as? [Any], let top = table["$top"] as? [String: Any],
      table["$archiver"] is String, table["$version"] is NSNumber, !objects.isEmpty
    else { return false }
    var check = ArchiveCheck(objects)
    return top.values.allSatisfy { check.isSound($0, depth: 0) }
  }

  private init(_ objects: [Any]) {
    self.objects = objects
    isDone = Array(repeating: false, count: objects.count)
    isUnderWay = isDone
  }

  private mutating func isSound(_ value: Any, depth: Int) -> Bool {
    switch value {
    case let reference as ArchiveBuilder.Reference:
      return isSound(at: reference.identifier, depth: depth + 1)
    case let list as [Any]: return list.allSatisfy { isSound($0, depth: depth + 1) }
    case let table as [String: Any]:
      return table.values.allSatisfy { isSound($0, depth: depth + 1) }
    default: return true
    }
  }

  private mutating func isSound(at identifier: Int, depth: Int) -> Bool {
    guard objects.indices.contains(identifier), depth < Self.deepest, !isUnderWay[identifier] else {
      return false
    }
    if isDone[identifier] { return true }
    isUnderWay[identifier] = true
    defer { (isUnderWay[identifier], isDone[identifier]) = (false, true) }
    guard let fields = objects[identifier] as? [String: Any] else {
      return !(objects[identifier] is [Any])
    }
    guard isClass(fields["$class"]), hasPairs(fields) else { return false }
    return fields.allSatisfy { $0.key == "$class" || isSound($0.value, depth: depth) }
  }

  private func isClass(_ value: Any?) -> Bool {
    guard let reference = value as? ArchiveBuilder.Reference,
      objects.indices.contains(reference.identifier),
      let description = objects[reference.identifier] as? [String: Any]
    else { return false }
    return description["$classname"] is String && description["$classes"] is [String]
  }

  /// A dictionary has a value for each key.
  private func hasPairs(_ fields: [String: Any]) -> Bool {
    guard let found = fields["NS.keys"] else { return true }
    guard let keys = found as? [Any], let values = fields["NS.objects"] as? [Any] else {
      return false
    }
    return keys.count == values.count
  }
}
