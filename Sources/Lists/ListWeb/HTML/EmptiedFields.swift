import ListKit

/// The fields that Return empties. The page empties such a field at once, since the user may type
/// the next text before the answer arrives.
///
/// A field whose return key is ``UIReturnKeyType/send`` is one. Others are recognised when the
/// application empties a field after Return for the first time; this is then known in all windows.
@MainActor
enum EmptiedFields {
  /// The maximum number of known fields: placeholders can be arbitrary texts.
  private static let most = 256
  private static var known: Set<String> = []

  static func contains(_ field: UITextField) -> Bool {
    field.returnKeyType == .send || known.contains(name(field))
  }

  static func note(_ field: UITextField) {
    guard known.count < most, field.delegate != nil else { return }
    known.insert(name(field))
  }

  /// A name for the field that is equal in all windows: the delegate's class, and the field's
  /// purpose.
  private static func name(_ field: UITextField) -> String {
    let use = field.accessibilityIdentifier ?? field.accessibilityLabel ?? field.placeholder ?? ""
    return "\(field.delegate.map { "\(type(of: $0))" } ?? "")/\(use)"
  }
}
