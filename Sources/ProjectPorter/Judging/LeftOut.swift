import Foundation

/// A file that is not built on Linux, and why.
public struct LeftOut: Sendable {
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

  public let file: URL
  /// nil where it is the whole file.
  public let line: Int?
  public let reason: Reason
  public let text: String
  /// The name of the file that is left out and has what this one uses, where that is the reason.
  var lacking: String?
  /// Whether it works on Core Data: what a port is for.
  public let importsCoreData: Bool
}
