import KeyValueCoding

/// A format under construction. Its constants and key paths are printed; or kept as the arguments
/// of `%@` and `%K`, without loss; or, for messages, constants are replaced by `…`.
struct FormatText {
  private(set) var format = ""
  /// The arguments; nil if constants are printed.
  private(set) var arguments: [Any]?
  private let hidesValues: Bool

  init(keepsArguments: Bool = false, hidesValues: Bool = false) {
    self.hidesValues = hidesValues
    if keepsArguments { arguments = [] }
  }

  init(format: String, arguments: [Any]) {
    self.format = format
    self.arguments = arguments
    hidesValues = false
  }

  static func += (text: inout FormatText, part: String) { text.format += part }

  mutating func append(constant: Any?) {
    if hidesValues, !TypedValue.isNull(constant) {
      format += "…"
      return
    }
    guard arguments != nil, let constant else {
      format += ConstantPrinter.text(of: constant)
      return
    }
    format += "%@"
    arguments?.append(constant)
  }

  mutating func append(keyPath: String) {
    guard arguments != nil else {
      format += Self.escaped(keyPath)
      return
    }
    format += "%K"
    arguments?.append(keyPath)
  }

  /// The path with a `#` before keys that are reserved words.
  private static func escaped(_ path: String) -> String {
    let parts = path.split(separator: ".", omittingEmptySubsequences: false)
    return parts.map { ReservedWord.isReserved($0.uppercased()) ? "#\($0)" : String($0) }
      .joined(separator: ".")
  }
}
