/// A source file made for Xcode, as it is compiled here.
public struct PortedSource: Equatable, Sendable {
  /// The copy: every line of the original is on a line of its own again, and `#sourceLocation` names the original's places.
  public let text: String
  /// What was not rewritten.
  public let remarks: [Remark]
}

/// Something in a source that cannot be rewritten, or is rewritten with a loss.
public struct Remark: Hashable, Codable, Sendable {
  public enum Severity: String, Codable, Sendable {
    /// The copy would not do what the original does.
    case error
    /// The copy does, but for what the remark says.
    case warning
  }

  public let severity: Severity
  /// In the original, from 1.
  public let line: Int
  /// In the original, in bytes from 1.
  public let column: Int
  public let reason: String
  public let remedy: String

  public init(severity: Severity, line: Int, column: Int, reason: String, remedy: String) {
    self.severity = severity
    self.line = line
    self.column = column
    self.reason = reason
    self.remedy = remedy
  }

  /// In the form that compilers use.
  public func text(path: String) -> String {
    "\(path):\(line):\(column): \(severity.rawValue): \(reason); \(remedy)"
  }
}
