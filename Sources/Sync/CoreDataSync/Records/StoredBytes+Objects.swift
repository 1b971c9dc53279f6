// The URI of an object is 0 for none, 1 and its text, or, as nearly every one,
// 2, the store's name, the entity's name and the number.

extension StoredWriter {
  mutating func write(object uri: String?) {
    guard let uri else { return write(0 as UInt8) }
    guard let parts = ObjectParts(uri) else {
      write(1 as UInt8)
      return write(text: uri)
    }
    write(2 as UInt8)
    write(name: parts.store)
    write(name: parts.entity)
    write(number: parts.number)
  }
}

extension StoredReader {
  mutating func object() throws -> String? {
    switch try byte() {
    case 0: nil
    case 1: try text()
    case 2: ObjectParts(store: try name(), entity: try name(), number: try number()).uri
    default: throw Damage()
    }
  }
}

/// The parts of a URI such as "x-coredata://7E1B…/Note/p12".
struct ObjectParts {
  let store: String
  let entity: String
  let number: UInt64
  private static let scheme = "x-coredata://"

  init(store: String, entity: String, number: UInt64) {
    (self.store, self.entity, self.number) = (store, entity, number)
  }

  var uri: String { "\(Self.scheme)\(store)/\(entity)/p\(number)" }

  /// Nil for a URI that is not written anew as it was.
  init?(_ uri: String) {
    guard uri.hasPrefix(Self.scheme) else { return nil }
    let rest = uri.utf8.dropFirst(Self.scheme.utf8.count)
    let parts = rest.split(
      separator: UInt8(ascii: "/"), maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 3, !parts[0].isEmpty, !parts[1].isEmpty,
      parts[2].first == UInt8(ascii: "p"),
      let number = Self.number(parts[2].dropFirst())
    else { return nil }
    self.init(
      store: String(Substring(parts[0])), entity: String(Substring(parts[1])), number: number)
  }

  /// Nil unless the digits are those that the number is written with.
  private static func number(_ digits: Substring.UTF8View) -> UInt64? {
    guard (1...19).contains(digits.count), digits.count == 1 || digits.first != UInt8(ascii: "0")
    else { return nil }
    var number: UInt64 = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      number = number * 10 + UInt64(digit - UInt8(ascii: "0"))
    }
    return number
  }
}

/// The URI of an object in sixteen bytes, but for one that has no such parts.
enum ObjectKey: Hashable {
  case row(store: UInt32, entity: UInt32, number: UInt64)
  case other(String)

  /// - Parameter names: gets the names of the store and of the entity, if it has not.
  init(_ uri: String, names: NameTable) {
    guard let parts = ObjectParts(uri) else {
      self = .other(uri)
      return
    }
    self = .row(
      store: UInt32(names.number(of: parts.store)), entity: UInt32(names.number(of: parts.entity)),
      number: parts.number)
  }
}
