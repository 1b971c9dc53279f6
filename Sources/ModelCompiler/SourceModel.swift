import CoreData
import Foundation

/// A model of the target, with its versions compiled.
struct SourceModel {
  let name: String
  let currentVersion: String
  let current: NSManagedObjectModel
  /// The compiled versions (`.mom`) by their names.
  let compiled: [String: Data]
  private let versions: [String: NSManagedObjectModel]

  init(url: URL, moduleName: String) throws {
    let package = ModelPackage(url: url, moduleName: moduleName)
    name = url.deletingPathExtension().lastPathComponent
    var versions: [String: NSManagedObjectModel] = [:]
    if url.pathExtension == "xcdatamodeld" {
      for version in try package.versionNames() {
        versions[version] = try package.model(version: version)
      }
      currentVersion = try package.currentVersionName()
    } else {
      currentVersion = name
      versions[name] = try package.currentModel()
    }
    guard let current = versions[currentVersion] else {
      throw ModelFileError(
        file: url.path, problem: "its current version “\(currentVersion)” is missing")
    }
    self.current = current
    self.versions = versions
    compiled = try versions.mapValues { try $0.compiledData() }
  }

  /// Writes the `.momd`: a `.mom` per version and `VersionInfo.plist`. Files of versions that are
  /// gone go too.
  func write(into folder: URL) throws {
    let bundle = folder.appendingPathComponent(name + ".momd")
    try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
    for (version, data) in compiled {
      try Output.write(data, to: bundle.appendingPathComponent(version + ".mom"))
    }
    try Output.write(versionInfo(), to: bundle.appendingPathComponent("VersionInfo.plist"))
    for file in try FileManager.default.contentsOfDirectory(atPath: bundle.path) {
      let version = (file as NSString).deletingPathExtension
      guard (file as NSString).pathExtension == "mom", compiled[version] == nil else { continue }
      try FileManager.default.removeItem(at: bundle.appendingPathComponent(file))
    }
  }

  private func versionInfo() throws -> Data {
    try PropertyListSerialization.data(
      fromPropertyList: [
        "NSManagedObjectModel_CurrentVersionName": currentVersion,
        "NSManagedObjectModel_VersionHashes": versions.mapValues(\.entityVersionHashesByName),
        "NSManagedObjectModel_VersionChecksums": versions.mapValues(\.versionChecksum),
      ], format: .xml, options: 0)
  }
}
