import Foundation
import KeyValueCoding

/// Prints constants: strings quoted, dates as casts, numbers like the description of `NSNumber` on
/// Apple's systems.
enum ConstantPrinter {
  static func text(of value: Any?) -> String {
    guard let date = value as? Date else { return element(value) }
    let seconds = String(format: "%f", date.timeIntervalSinceReferenceDate)
    return "CAST(\(seconds), \"NSDate\")"
  }

  /// Prints an element of a constant collection, in which a date is printed by its description.
  private static func element(_ value: Any?) -> String {
    switch value {
    case nil: "nil"
    case is NSNull: "<null>"
    case let string as String: quoted(string)
    case let date as Date: date.description
    case .some(let value): described(value)
    }
  }

  private static func described(_ value: Any) -> String {
    switch TypedValue(value) {
    case .integer(let number): "\(number)"
    case .double(let number): text(of: number, value)
    case .decimal(let number): number.description
    case .collection(let collection): text(of: collection)
    case .uuid(let uuid): uuid.uuidString
    case .data(let data): (data as NSData).description
    case .null: "nil"
    default: String(describing: value)
    }
  }

  private static func text(of number: Double, _ original: Any) -> String {
    if number == number.rounded(), abs(number) < 1e15 { return "\(Int64(number))" }
    return (original as? NSNumber)?.description ?? "\(number)"
  }

  private static func text(of collection: ElementCollection) -> String {
    if collection.kind == .dictionary { return String(describing: collection.base) }
    return "{\(collection.elements.map(element).joined(separator: ", "))}"
  }

  private static func quoted(_ string: String) -> String {
    let escaped = string.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    return "\"\(escaped)\""
  }
}
