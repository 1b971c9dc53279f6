import Foundation
import ModelDocuments

/// The `.momd` of a model: the versions' documents as `.mom` files, and `VersionInfo.plist`.
///
/// A version is read again only if the size or date of its file differs from the notes of the last
/// run, so that a model with a hundred versions costs nothing while only its target's sources
/// change.
struct CompiledModel {
  let model: SourceModel
  let moduleName: String
  private let folder: URL
  private let notesFile: URL

  init(model: SourceModel, moduleName: String, modelFolder: URL, workFolder: URL) {
    self.model = model
    self.moduleName = moduleName
    folder = modelFolder.appendingPathComponent(model.name + ".momd")
    notesFile = workFolder.appendingPathComponent("Versions/\(model.name).plist")
  }

  /// Writes changed files and removes obsolete versions. Returns the warnings of the current
  /// version and of all others that were read.
  func write() throws -> [ModelFileError] {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let earlier = VersionNotes(file: notesFile).versions
    var notes: [String: VersionNotes.Version] = [:]
    var warnings = model.current.warnings
    for version in try model.package.versionNames() {
      let stamp = try self.stamp(of: version)
      if let known = earlier[version], known.stamp == stamp, exists(file(of: version)) {
        notes[version] = known
        continue
      }
      let document = try write(version)
      if version != model.currentVersion { warnings += document.warnings }
      notes[version] = VersionNotes.Version(stamp: stamp, hashes: document.versionHashes())
    }
    try removeVersions(except: Set(notes.keys))
    try writeInfo(hashes: notes.mapValues(\.hashes), isNew: notes != earlier)
    if notes != earlier { try VersionNotes(versions: notes).write(to: notesFile) }
    return warnings
  }

  /// Writes `VersionInfo.plist`, unless neither the hashes nor the current version changed.
  private func writeInfo(hashes: [String: [String: Data]], isNew: Bool) throws {
    let file = folder.appendingPathComponent(VersionInfo.fileName)
    let info = VersionInfo(currentVersion: model.currentVersion, hashes: hashes)
    if !isNew, exists(file), try model.currentVersion == writtenVersion(file) { return }
    try Output.write(info.data(), to: file)
  }

  private func writtenVersion(_ file: URL) throws -> String? {
    try VersionInfo(data: ModelPackage.contents(of: file), file: file.path).currentVersion
  }

  private func write(_ version: String) throws -> ModelDocument {
    guard version != model.currentVersion else {
      try Output.write(Data(model.text.utf8), to: file(of: version))
      return model.current
    }
    let source = try model.package.file(version: version)
    let root = try SourceModel.root(of: source, moduleName: moduleName)
    try Output.write(Data(root.text.utf8), to: file(of: version))
    return try ModelDocument(root: root, file: source.path)
  }

  private func file(of version: String) -> URL { folder.appendingPathComponent(version + ".mom") }

  private func exists(_ file: URL) -> Bool { FileManager.default.fileExists(atPath: file.path) }

  private func stamp(of version: String) throws -> String {
    let file = try model.package.file(version: version)
    do {
      let facts = try FileManager.default.attributesOfItem(atPath: file.path)
      let date = (facts[.modificationDate] as? Date)?.timeIntervalSinceReferenceDate
      return "\(moduleName) \(facts[.size] ?? "") \(date ?? 0)"
    } catch {
      throw ModelFileError(
        file: file.path, problem: "it cannot be read: \(error.localizedDescription)")
    }
  }

  private func removeVersions(except kept: Set<String>) throws {
    for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let name = file as NSString
      guard name.pathExtension == "mom", !kept.contains(name.deletingPathExtension) else {
        continue
      }
      try FileManager.default.removeItem(at: folder.appendingPathComponent(file))
    }
  }
}
