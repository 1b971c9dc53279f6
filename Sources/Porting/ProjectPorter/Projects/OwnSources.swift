import Foundation

/// Sources that users added to the ported package: translations of code that is not Swift, and
/// stand-ins for APIs that Linux lacks.
///
/// They are compiled unchanged. One with the name of an original replaces it, as `Mapper.swift`
/// replaces `Mapper.m`.
struct OwnSources {
  private var byModule: [String: [URL]] = [:]

  init() {}

  init(_ output: URL, targets: [ProjectTarget]) {
    let writer = PackageWriter(output)
    for target in targets where target.kind != .macro {
      let folder = output.appendingPathComponent(PackageFiles.folder(of: target))
      let resources = folder.appendingPathComponent("Resources").path + "/"
      byModule[target.module] = FolderFiles.all(in: folder).filter { file in
        file.pathExtension == "swift" && !file.path.hasPrefix(resources)
          && !writer.hasWritten(file)
      }
    }
  }

  /// Adds a source as if a user had written one of its name.
  mutating func add(_ file: URL, to target: ProjectTarget) {
    byModule[target.module, default: []].append(file)
  }

  func of(_ target: ProjectTarget) -> [URL] { byModule[target.module] ?? [] }
}
