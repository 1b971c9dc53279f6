/// A point in the history of one or several stores: after which transaction of each.
///
/// Equal when it says the same of the same stores. It can be archived, and read again by another process or
/// at another time.
///
/// Source: developer.apple.com/documentation/coredata/nspersistenthistorytoken
///
/// Sendable: nothing changes after `init`.
public final class NSPersistentHistoryToken: NSObject, NSCopying, NSSecureCoding,
  @unchecked Sendable
{
  private static let numbersKey = "NSPersistentHistoryTokenNumbers"

  /// The number of the last transaction by the store's UUID; 0 before the first.
  package let numbers: [String: Int64]

  package init(_ numbers: [String: Int64]) { self.numbers = numbers }

  public static var supportsSecureCoding: Bool { true }

  public init?(coder: NSCoder) {
    let classes: [AnyClass] = [NSDictionary.self, NSString.self, NSNumber.self]
    guard
      let numbers = coder.decodeObject(of: classes, forKey: Self.numbersKey) as? [String: NSNumber]
    else { return nil }
    self.numbers = numbers.mapValues(\.int64Value)
  }

  public func encode(with coder: NSCoder) {
    let numbers = numbers.mapValues { NSNumber(value: $0) }
    coder.encode(numbers as NSDictionary, forKey: Self.numbersKey)
  }

  /// A token is immutable: its copy is itself.
  public func copy(with zone: NSZone? = nil) -> Any { self }

  public override func isEqual(_ object: Any?) -> Bool {
    (object as? NSPersistentHistoryToken)?.numbers == numbers
  }

  public override var hash: Int { numbers.hashValue }

  public override var description: String {
    let lines = numbers.sorted { $0.key < $1.key }.map { "    \"\($0.key)\" = \($0.value);\n" }
    return "<NSPersistentHistoryToken - {\n\(lines.joined())}>"
  }
}
