import Foundation

/// Checks a keyed archive before Foundation's unarchiver reads it. The unarchiver crashes on
/// references to missing objects, on classes that exist but are not allowed, and on strings and
/// URLs with contents of another type; it overflows the stack on cycles and deep nesting.
///
/// The work is bounded by the size of the data.
struct ArchiveCheck {
  private static let deepest = 200

  private let objects: [Any]
  /// The allowed classes; nil allows every class.
  private let allowed: [AnyClass]?
  private var isDone: [Bool]
  private var isUnderWay: [Bool]

  /// Returns whether the unarchiver can read `data`.
  ///
  /// - Parameter allowed: the classes that objects may have, subclasses included; nil for any.
  static func isWhole(_ data: Data, allowing allowed: [AnyClass]?) -> Bool {
    guard let table = BinaryPropertyListReader.value(of: data) as? [String: Any],
      let objects = table["$objects"] as? [Any], let top = table["$top"] as? [String: Any],
      table["$archiver"] is String, table["$version"] is NSNumber, !objects.isEmpty
    else { return false }
    var check = ArchiveCheck(objects, allowed: allowed)
    return top.values.allSatisfy { check.isSound($0, depth: 0) }
  }

  private init(_ objects: [Any], allowed: [AnyClass]?) {
    self.objects = objects
    self.allowed = allowed
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
    guard let names = classNames(fields["$class"]), hasPairs(fields) else { return false }
    if let found = names.lazy.compactMap(Self.unarchivedClass).first, !isSound(fields, of: found) {
      return false
    }
    return fields.allSatisfy { $0.key == "$class" || isSound($0.value, depth: depth) }
  }

  /// The class names that the unarchiver tries, in its order.
  private func classNames(_ value: Any?) -> [String]? {
    guard let description = object(value) as? [String: Any],
      let name = description["$classname"] as? String, description["$classes"] is [String]
    else { return nil }
    return [name] + (description["$classhints"] as? [String] ?? [])
  }

  private func object(_ value: Any?) -> Any? {
    guard let reference = value as? ArchiveBuilder.Reference,
      objects.indices.contains(reference.identifier)
    else { return nil }
    return objects[reference.identifier]
  }

  /// The class for a name, looked up as the unarchiver does: first among the classes that the
  /// program has registered with it.
  static func unarchivedClass(_ name: String) -> AnyClass? {
    NSKeyedUnarchiver.class(forClassName: name) ?? NSClassFromString(name)
  }

  private func isSound(_ fields: [String: Any], of found: AnyClass) -> Bool {
    if let allowed {
      guard allowed.contains(where: { Self.isKind(found, of: $0) }),
        (found as? any NSSecureCoding.Type)?.supportsSecureCoding ?? false
      else { return false }
    }
    if Self.isKind(found, of: NSString.self) { return fields["NS.string"] is String }
    if Self.isKind(found, of: NSURL.self) { return isAddress(fields) }
    return true
  }

  private func isAddress(_ fields: [String: Any]) -> Bool {
    guard let text = object(fields["NS.relative"]) as? String,
      URL(string: text, encodingInvalidCharacters: false) != nil
    else { return false }
    guard let base = fields["NS.base"] else { return true }
    if object(base) as? String == "$null" { return true }
    guard let base = object(base) as? [String: Any], let names = classNames(base["$class"]) else {
      return false
    }
    return names.lazy.compactMap(Self.unarchivedClass).first
      .map { Self.isKind($0, of: NSURL.self) } ?? false
  }

  private static func isKind(_ found: AnyClass, of allowed: AnyClass) -> Bool {
    var next: AnyClass? = found
    while let current = next {
      if current == allowed { return true }
      next = _getSuperclass(current)
    }
    return false
  }

  /// Returns whether a dictionary has a value for each key. True for other objects.
  private func hasPairs(_ fields: [String: Any]) -> Bool {
    guard let found = fields["NS.keys"] else { return true }
    guard let keys = found as? [Any], let values = fields["NS.objects"] as? [Any] else {
      return false
    }
    return keys.count == values.count
  }
}
