import Foundation

/// Sources that somebody has put into the package: translations of what is no Swift, and stand-ins for what Linux lacks.
///
/// They are compiled as they are. One with the name of an original takes its place, as `Mapper.swift` that of `Mapper.m`.
struct OwnSources {
  private var byModule: [String: [URL]] = [:]

  init() {}

  init(_ output: URL, _ targets: [ProjectTarget]) {
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

  func of(_ target: ProjectTarget) -> [URL] { byModule[target.module] ?? [] }
}
