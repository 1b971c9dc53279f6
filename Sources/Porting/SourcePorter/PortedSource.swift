/// A source file made for Xcode, rewritten for this platform.
public struct PortedSource: Equatable, Sendable {
  /// The text of the copy. Lines of the original stay separate lines, and `#sourceLocation` refers
  /// to the original's.
  public let text: String
  /// The remarks about constructs that were not rewritten.
  public let remarks: [Remark]
}

/// A construct of a source that cannot be rewritten, or only with a loss.
public struct Remark: Hashable, Codable, Sendable {
  /// The effect of the construct on the copy.
  public enum Severity: String, Codable, Sendable {
    /// The copy would behave differently from the original.
    case error
    /// The copy behaves like the original, except as the remark says.
    case warning
  }

  /// The effect on the copy.
  public let severity: Severity
  /// The line in the original, from 1.
  public let line: Int
  /// The column in the original, in bytes from 1.
  public let column: Int
  /// The problem.
  public let reason: String
  /// The change to the source that avoids it.
  public let remedy: String

  /// Creates a remark.
  public init(severity: Severity, line: Int, column: Int, reason: String, remedy: String) {
    self.severity = severity
    self.line = line
    self.column = column
    self.reason = reason
    self.remedy = remedy
  }

  /// The remark in the form of compiler messages.
  public func text(path: String) -> String {
    "\(path):\(line):\(column): \(severity.rawValue): \(reason); \(remedy)"
  }
}
