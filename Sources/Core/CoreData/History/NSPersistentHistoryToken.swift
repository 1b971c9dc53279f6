/// A point in the history of one or several stores: for each, the number of its last transaction.
///
/// Equal to every token with the same numbers for the same stores. Can be archived, and decoded
/// later or by another process.
///
/// Source: developer.apple.com/documentation/coredata/nspersistenthistorytoken
///
/// Sendable: immutable after `init`. Subclasses stand in for tokens in tests.
open class NSPersistentHistoryToken: NSObject, NSCopying, NSSecureCoding,
  @unchecked Sendable
{
  private static let numbersKey = "NSPersistentHistoryTokenNumbers"

  /// The number of the last transaction by the store's UUID; 0 before the first.
  package let numbers: [String: Int64]

  package init(_ numbers: [String: Int64]) { self.numbers = numbers }

  /// Makes a token of no store, before all transactions.
  public override init() { numbers = [:] }

  /// True: tokens support secure coding.
  open class var supportsSecureCoding: Bool { true }

  public required init?(coder: NSCoder) {
    let classes: [AnyClass] = [NSDictionary.self, NSString.self, NSNumber.self]
    guard
      let numbers = coder.decodeObject(of: classes, forKey: Self.numbersKey) as? [String: NSNumber]
    else { return nil }
    self.numbers = numbers.mapValues(\.int64Value)
  }

  open func encode(with coder: NSCoder) {
    let numbers = numbers.mapValues { NSNumber(value: $0) }
    coder.encode(numbers as NSDictionary, forKey: Self.numbersKey)
  }

  /// The token itself, which is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  open override func isEqual(_ object: Any?) -> Bool {
    (object as? NSPersistentHistoryToken)?.numbers == numbers
  }

  open override var hash: Int { numbers.hashValue }

  open override var description: String {
    let lines = numbers.sorted { $0.key < $1.key }.map { "    \"\($0.key)\" = \($0.value);\n" }
    return "<NSPersistentHistoryToken - {\n\(lines.joined())}>"
  }
}
