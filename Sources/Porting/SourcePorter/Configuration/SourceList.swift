import Foundation

/// Compares the sources that a build was planned with to those that exist now.
///
/// SwiftPM keeps the plan of a package until its manifest or its own folders change. Sources
/// elsewhere can be added or removed without that. The tool runs when their folders or the
/// configuration change, and reports an outdated plan.
public struct SourceList {
  private let file: URL

  /// Creates a list for a configuration file `ported.json`.
  public init(configuration file: URL) { self.file = file }

  /// Compares the planned sources and conditions to the configuration.
  /// - Returns: the declarations to remove from copies, by the names of sources.
  /// - Throws: ``PortingError`` if the configuration is invalid or the plan is outdated.
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
