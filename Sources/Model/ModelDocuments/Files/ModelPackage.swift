import Foundation

/// Finds a model, or the versions of a model, in files and folders.
///
///     X.xcdatamodeld/   .xccurrentversion (property list: _XCCurrentVersionName), V.xcdatamodel/…
///     V.xcdatamodel/    contents (XML), or of Xcode 4.2 and older: elements (a keyed archive);
///                       layout
///     X.momd/           VersionInfo.plist (see `VersionInfo`), V.mom, X.omo
///     V.mom             a keyed archive, or from the build plugin XML as in `contents`
package struct ModelPackage {
  package let url: URL

  package init(url: URL) {
    self.url = url
  }

  /// The file of the model, or of its current version.
  /// - Throws: ``ModelFileError`` if the URL is no model, or the current version is unknown.
  package func currentFile() throws -> URL {
    switch url.pathExtension.lowercased() {
    case "xcdatamodeld", "momd": try file(version: try currentVersionName())
    case "xcdatamodel": sourceFile(in: url)
    case "mom": url
    default:
      throw error(
        "this is not a model: expected the extension momd, mom, xcdatamodeld or xcdatamodel")
    }
  }

  /// The names of the versions in alphabetical order; for a single version, its own name.
  package func versionNames() throws -> [String] {
    guard ["xcdatamodeld", "momd"].contains(url.pathExtension.lowercased()) else {
      return [try currentVersionName()]
    }
    let wanted = isSource ? "xcdatamodel" : "mom"
    return try names(in: url).filter { ($0 as NSString).pathExtension.lowercased() == wanted }
      .map { ($0 as NSString).deletingPathExtension }.sorted()
  }

  /// The name of the current version: the one that the folder names, or the only one.
  package func currentVersionName() throws -> String {
    switch url.pathExtension.lowercased() {
    case "xcdatamodeld": try currentSourceVersion() ?? onlyVersion()
    case "momd": try versionInfo()?.currentVersion ?? onlyVersion()
    default: url.deletingPathExtension().lastPathComponent
    }
  }

  /// The file of one version.
  package func file(version: String) throws -> URL {
    switch url.pathExtension.lowercased() {
    case "xcdatamodeld":
      sourceFile(in: url.appendingPathComponent(version + ".xcdatamodel"))
    case "momd": url.appendingPathComponent(version + ".mom")
    default: try currentFile()
    }
  }

  /// The version information of a compiled model; nil if it has none.
  package func versionInfo() throws -> VersionInfo? {
    let file = url.appendingPathComponent(VersionInfo.fileName)
    guard FileManager.default.fileExists(atPath: file.path) else { return nil }
    return try VersionInfo(data: Self.contents(of: file), file: file.path)
  }

  /// Reads a file of the model.
  /// - Throws: ``ModelFileError`` if the file cannot be read.
  package static func contents(of file: URL) throws -> Data {
    do {
      return try Data(contentsOf: file)
    } catch {
      throw ModelFileError(
        file: file.path, problem: "it cannot be read: \(error.localizedDescription)")
    }
  }

  private var isSource: Bool { url.pathExtension.lowercased() == "xcdatamodeld" }

  private func currentSourceVersion() throws -> String? {
    let file = url.appendingPathComponent(".xccurrentversion")
    guard FileManager.default.fileExists(atPath: file.path) else { return nil }
    let data = try Self.contents(of: file)
    // Foundation's error would only say "corrupt".
    guard let list = try? PropertyListSerialization.propertyList(from: data, format: nil),
      let table = list as? [String: Any]
    else { throw ModelFileError(file: file.path, problem: "this is not a property list") }
    guard let name = table["_XCCurrentVersionName"] as? String else { return nil }
    return (name as NSString).deletingPathExtension
  }

  private func onlyVersion() throws -> String {
    let names = try versionNames()
    guard names.count == 1, let name = names.first else {
      throw error(
        "it has \(names.count) versions and does not say which one is current")
    }
    return name
  }

  private func sourceFile(in folder: URL) -> URL {
    let file = folder.appendingPathComponent("contents")
    let old = folder.appendingPathComponent("elements")
    let isOld =
      !FileManager.default.fileExists(atPath: file.path)
      && FileManager.default.fileExists(atPath: old.path)
    return isOld ? old : file
  }

  private func names(in folder: URL) throws -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder.path)
    } catch {
      throw ModelFileError(
        file: folder.path, problem: "it cannot be read: \(error.localizedDescription)")
    }
  }

  private func error(_ problem: String) -> ModelFileError {
    ModelFileError(file: url.path, problem: problem)
  }
}
