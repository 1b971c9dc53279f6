import Foundation

/// A file, a declaration or part of a body that is not built on Linux, and the reason.
public struct LeftOut: Sendable {
  /// Categories of reasons; the raw value follows the number of files in the report.
  public enum Reason: String, CaseIterable, Sendable {
    case interface = "need a user interface"
    case service = "need a part of Apple's systems"
    case module = "import what is not known to build on Linux"
    case dependency = "use a type of a file that is left out"
    case foreign = "are not Swift"
    case entry = "start the application"
    case refused = "do not compile here"
    case missing = "are not there"
  }

  /// The file that is left out, or whose declaration is.
  public let file: URL
  /// The line of the cause or of the declaration; nil if the reason concerns the whole file.
  public let line: Int?
  /// The category of the reason.
  public let reason: Reason
  /// The reason as the report prints it after the path.
  public let text: String
  /// For `.dependency`: the name of the left-out file that declares what this one uses.
  var lacking: String?
  /// For declarations and bodies: the reason without the name of what lacks something.
  var cause: String?
  /// Whether the file imports CoreData or SwiftData.
  public let importsCoreData: Bool
  /// Whether the declaration stays, and only its body lacks something.
  var isOfBody = false
  /// The number of tests that go with the file or the declaration.
  var tests = 0

  /// What reports sum up in one line: screens, users of one left-out file, or one reason in words.
  var group: String {
    switch reason {
    case .interface: Reason.interface.rawValue
    case .dependency: lacking.map { "use what \($0) declares, which is left out" } ?? cause ?? text
    default: cause ?? text
    }
  }
}
