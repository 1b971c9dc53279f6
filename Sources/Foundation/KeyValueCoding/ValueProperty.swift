import Foundation

/// A key of a plain value: one that Foundation's classes answer on Apple's systems and that
/// predicates in practice use.
package struct ValueProperty: Sendable {
  /// The types that have such keys.
  package enum Owner: Sendable {
    case string, number, date, data, uuid, url
  }

  package enum Result: Sendable {
    case number, text
  }

  package let key: String
  package let result: Result
  private let read: @Sendable (Any) -> Any?

  package static func named(_ key: String, of owner: Owner) -> ValueProperty? {
    all[owner]?[key]
  }

  /// The value of a key of a value; nil if such values do not have the key.
  package static func value(of object: Any, forKey key: String) -> Any?? {
    guard let owner = Owner(object) else { return nil }
    return named(key, of: owner).map { $0.read(object) }
  }

  private static let all: [Owner: [String: ValueProperty]] = [
    .string: table(strings), .number: table(numbers), .date: table(dates), .data: table(data),
    .uuid: table(uuids), .url: table(urls),
  ]

  private static func table(_ properties: [ValueProperty]) -> [String: ValueProperty] {
    Dictionary(properties.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// A numeric property. The values are of type `Value`: the lookup by owner has checked that.
  private static func number<Value>(
    _ key: String, read: @escaping @Sendable (Value) -> NSNumber
  ) -> ValueProperty {
    ValueProperty(key: key, result: .number) { ($0 as? Value).map(read) }
  }

  private static func text<Value>(
    _ key: String, read: @escaping @Sendable (Value) -> String?
  ) -> ValueProperty {
    ValueProperty(key: key, result: .text) { ($0 as? Value).flatMap(read) }
  }

  private static let strings: [ValueProperty] = [
    number("length") { (text: String) in NSNumber(value: text.utf16.count) },
    text("lowercaseString") { (text: String) in text.lowercased() },
    text("uppercaseString") { (text: String) in text.uppercased() },
    text("lowercased") { (text: String) in text.lowercased() },
    text("uppercased") { (text: String) in text.uppercased() },
    text("capitalizedString") { (text: String) in text.capitalized },
    number("intValue") { (text: String) in NSNumber(value: (text as NSString).intValue) },
    number("integerValue") { (text: String) in NSNumber(value: (text as NSString).integerValue) },
    number("longLongValue") { (text: String) in NSNumber(value: (text as NSString).longLongValue) },
    number("doubleValue") { (text: String) in NSNumber(value: (text as NSString).doubleValue) },
    number("floatValue") { (text: String) in NSNumber(value: (text as NSString).floatValue) },
    number("boolValue") { (text: String) in NSNumber(value: (text as NSString).boolValue) },
    text("lastPathComponent") { (text: String) in (text as NSString).lastPathComponent },
    text("pathExtension") { (text: String) in (text as NSString).pathExtension },
  ]

  private static let numbers: [ValueProperty] = [
    number("intValue") { (number: NSNumber) in number },
    number("integerValue") { (number: NSNumber) in number },
    number("doubleValue") { (number: NSNumber) in number },
    number("floatValue") { (number: NSNumber) in number },
    number("boolValue") { (number: NSNumber) in NSNumber(value: number.boolValue) },
    text("stringValue") { (number: NSNumber) in number.stringValue },
  ]

  private static let dates: [ValueProperty] = [
    number("timeIntervalSinceReferenceDate") { (date: Date) in
      NSNumber(value: date.timeIntervalSinceReferenceDate)
    },
    number("timeIntervalSince1970") { (date: Date) in NSNumber(value: date.timeIntervalSince1970) },
  ]

  private static let data: [ValueProperty] = [
    number("length") { (data: Data) in NSNumber(value: data.count) }
  ]

  private static let uuids: [ValueProperty] = [
    text("UUIDString") { (uuid: UUID) in uuid.uuidString },
    text("uuidString") { (uuid: UUID) in uuid.uuidString },
  ]

  private static let urls: [ValueProperty] = [
    text("absoluteString") { (url: URL) in url.absoluteString },
    text("path") { (url: URL) in url.path },
    text("host") { (url: URL) in url.host },
    text("scheme") { (url: URL) in url.scheme },
    text("lastPathComponent") { (url: URL) in url.lastPathComponent },
    text("pathExtension") { (url: URL) in url.pathExtension },
  ]
}

extension ValueProperty.Owner {
  fileprivate init?(_ object: Any) {
    switch object {
    case is String: self = .string
    case is NSNumber: self = .number
    case is Date: self = .date
    case is URL: self = .url
    case is Data: self = .data
    case is UUID: self = .uuid
    default: return nil
    }
  }
}
