import Foundation

/// The sources that a build was planned with, and those that there are now.
///
/// The plan of a package is kept until its manifest or its own folders change. Sources that lie elsewhere come and go
/// without that, so the tool, which runs when their folders or the configuration change, has to say so.
public struct SourceList {
  private let file: URL

  public init(configuration file: URL) { self.file = file }

  /// Throws a ``PortingError`` if the plan has become void.
  /// - Returns: the declarations that copies are made without, by the names of sources.
  @discardableResult
  public func check(against planned: [URL], conditions: [String]) throws -> [String: [String]] {
    let configuration: PortedConfiguration
    let files: [URL]
    do {
      configuration = try PortedConfiguration(folder: file.deletingLastPathComponent())
      files = try configuration.files().sources
    } catch let error as ConfigurationError {
      throw PortingError("error: \(error.description)")
    }
    let (now, before) = (Set(files.map(\.path)), Set(planned.map(\.path)))
    let changes =
      now.subtracting(before).sorted().map { "\($0) is new" }
      + before.subtracting(now).sorted().map { "\($0) is gone" }
      + (configuration.conditions == conditions ? [] : ["the conditions have changed"])
    guard let first = changes.first else { return configuration.without }
    let rest = changes.count > 1 ? ", and \(changes.count - 1) more" : ""
    throw PortingError(
      "\(file.path):1:1: error: the package was planned with other sources (\(first)\(rest)); SwiftPM plans it anew "
        + "after its manifest has changed: touch Package.swift and build again")
  }
}
