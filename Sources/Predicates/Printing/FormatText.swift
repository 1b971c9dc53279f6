import KeyValueCoding

/// A format while it is being written: with its constants and key paths printed, or kept beside it as
/// the arguments of `%@` and `%K`, so that nothing of them is lost, or with values left out, for
/// messages.
struct FormatText {
  private(set) var format = ""
  /// Nil where constants are printed.
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

  /// Marks the keys that are words of the language.
  private static func escaped(_ path: String) -> String {
    let parts = path.split(separator: ".", omittingEmptySubsequences: false)
    return parts.map { ReservedWord.isReserved($0.uppercased()) ? "#\($0)" : String($0) }
      .joined(separator: ".")
  }
}
