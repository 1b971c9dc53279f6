import Foundation

/// Reads the compiler's names of declarations.
enum SymbolName {
  /// Whether a type in the declaration was not found.
  static func hasErrorType(_ name: String) -> Bool {
    name.contains("Xe") && (demangled(name) ?? "").contains("<ERROR TYPE>")
  }

  /// The readable form, by the Swift runtime's own function.
  static func demangled(_ name: String) -> String? {
    guard let text = swiftDemangle(name, UInt(name.utf8.count), nil, nil, 0) else { return nil }
    defer { free(text) }
    return String(cString: text)
  }
}

/// `swift_demangle` of the Swift runtime, which every Swift program has; the caller frees the
/// result.
@_silgen_name("swift_demangle")
private func swiftDemangle(
  _ name: UnsafePointer<CChar>, _ length: UInt, _ buffer: UnsafeMutablePointer<CChar>?,
  _ size: UnsafeMutablePointer<UInt>?, _ flags: UInt32
) -> UnsafeMutablePointer<CChar>?
