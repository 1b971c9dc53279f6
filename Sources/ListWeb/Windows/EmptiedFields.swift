import ListKit

/// Which fields Return empties, for pages, which empty such a field at once: what is typed next may come
/// before the answer.
///
/// A field whose return key is ``UIReturnKeyType/send`` is one; of others it is learnt when Return is
/// first pressed in one, for all windows.
@MainActor
enum EmptiedFields {
  /// Placeholders may be anything: no more are remembered.
  private static let most = 256
  private static var known: Set<String> = []

  static func contains(_ field: UITextField) -> Bool {
    field.returnKeyType == .send || known.contains(name(field))
  }

  static func note(_ field: UITextField) {
    guard known.count < most, field.delegate != nil else { return }
    known.insert(name(field))
  }

  /// The same in every window: who decides what Return means, and what the field is for.
  private static func name(_ field: UITextField) -> String {
    let use = field.accessibilityIdentifier ?? field.accessibilityLabel ?? field.placeholder ?? ""
    return "\(field.delegate.map { "\(type(of: $0))" } ?? "")/\(use)"
  }
}
