import Foundation

/// Finds the model, or the versions of a model, in the files and folders that hold one.
///
///     X.xcdatamodeld/   .xccurrentversion (property list: _XCCurrentVersionName), V.xcdatamodel/…
///     V.xcdatamodel/    contents (XML); layout
///     X.momd/           VersionInfo.plist (NSManagedObjectModel_CurrentVersionName, …), V.mom, X.omo
///     V.mom             a keyed archive
package struct ModelPackage {
  package let url: URL
  /// The module that a leading dot in a class name of a source model stands for.
  package let moduleName: String?

  package init(url: URL, moduleName: String? = nil) {
    self.url = url
    self.moduleName = moduleName
  }

  /// The model, in the current version where there are several.
  package func currentModel() throws -> NSManagedObjectModel {
    switch url.pathExtension.lowercased() {
    case "xcdatamodeld": try model(version: try currentSourceVersion())
    case "xcdatamodel": try sourceModel(at: url)
    case "momd": try model(version: try currentCompiledVersion())
    case "mom": try NSManagedObjectModel(archivedData: try contents(of: url), file: url.path)
    default:
      throw error(
        "this is not a model: expected the extension momd, mom, xcdatamodeld or xcdatamodel")
    }
  }

  /// The names of the versions, in alphabetical order.
  package func versionNames() throws -> [String] {
    let wanted = isSource ? "xcdatamodel" : "mom"
    return try names(in: url).filter { ($0 as NSString).pathExtension.lowercased() == wanted }
      .map { ($0 as NSString).deletingPathExtension }.sorted()
  }

  /// The name of the current version.
  package func currentVersionName() throws -> String {
    try isSource ? currentSourceVersion() : currentCompiledVersion()
  }

  /// One version of the model.
  package func model(version: String) throws -> NSManagedObjectModel {
    if isSource { return try sourceModel(at: url.appendingPathComponent(version + ".xcdatamodel")) }
    let file = url.appendingPathComponent(version + ".mom")
    return try NSManagedObjectModel(archivedData: try contents(of: file), file: file.path)
  }

  private var isSource: Bool { url.pathExtension.lowercased() == "xcdatamodeld" }

  /// The one that the folder names as current, or its only one.
  private func currentSourceVersion() throws -> String {
    let file = url.appendingPathComponent(".xccurrentversion")
    guard FileManager.default.fileExists(atPath: file.path) else { return try onlyVersion() }
    guard let name = try propertyList(at: file)["_XCCurrentVersionName"] as? String else {
      throw ModelFileError(file: file.path, problem: "it names no current version")
    }
    return (name as NSString).deletingPathExtension
  }

  private func currentCompiledVersion() throws -> String {
    let file = url.appendingPathComponent("VersionInfo.plist")
    guard FileManager.default.fileExists(atPath: file.path) else { return try onlyVersion() }
    let key = "NSManagedObjectModel_CurrentVersionName"
    guard let name = try propertyList(at: file)[key] as? String else {
      throw ModelFileError(file: file.path, problem: "it names no current version (\(key))")
    }
    return name
  }

  private func onlyVersion() throws -> String {
    let names = try versionNames()
    guard names.count == 1, let name = names.first else {
      throw error(
        "it has \(names.count) versions and does not say which one is current")
    }
    return name
  }

  private func sourceModel(at folder: URL) throws -> NSManagedObjectModel {
    let file = folder.appendingPathComponent("contents")
    let old = folder.appendingPathComponent("elements")
    let isOld =
      !FileManager.default.fileExists(atPath: file.path)
      && FileManager.default.fileExists(atPath: old.path)
    guard !isOld else {
      throw ModelFileError(
        file: old.path,
        problem: "this is a model of Xcode 4.2 or older; open and save it in a newer Xcode")
    }
    return try ModelXMLReader.model(
      from: contents(of: file), file: file.path, moduleName: moduleName)
  }

  private func propertyList(at file: URL) throws -> [String: Any] {
    let data = try contents(of: file)
    guard
      let list = try? PropertyListSerialization.propertyList(from: data, format: nil),
      let table = list as? [String: Any]
    else {
      // The reason in Foundation's error is only "corrupt"; ours names the file.
      throw ModelFileError(file: file.path, problem: "this is not a property list")
    }
    return table
  }

  private func contents(of file: URL) throws -> Data {
    do {
      return try Data(contentsOf: file)
    } catch {
      throw ModelFileError(
        file: file.path, problem: "it cannot be read: \(error.localizedDescription)")
    }
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
