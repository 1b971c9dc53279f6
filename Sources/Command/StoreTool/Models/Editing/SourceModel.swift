import CoreData
import ModelDocuments

/// Makes source models, and versions of them.
package enum SourceModel {
  private static let head = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"

  /// Makes a model without entities: an `.xcdatamodeld`, whose version has the name of the file, or
  /// an `.xcdatamodel`.
  package static func make(at url: URL) throws {
    let isFolderOfVersions = url.pathExtension.lowercased() == "xcdatamodeld"
    guard isFolderOfVersions || url.pathExtension.lowercased() == "xcdatamodel" else {
      throw ToolError(
        .usage, description: "\(url.path): a source model is an .xcdatamodeld or an .xcdatamodel.")
    }
    guard !FileManager.default.fileExists(atPath: url.path) else {
      throw ToolError(.cannotCreate, description: "There is something at \(url.path) already.")
    }
    let name = url.deletingPathExtension().lastPathComponent
    let text =
      head
      + ModelElement(
        name: "model",
        attributes: [
          "type": "com.apple.IDECoreDataModeler.DataModel", "documentVersion": "1.0",
          "lastSavedToolsVersion": "22522", "systemVersion": "23C71",
          "minimumToolsVersion": "Automatic", "sourceLanguage": "Swift",
          "userDefinedModelVersionIdentifier": "",
        ]
      ).lines
    do {
      let package =
        isFolderOfVersions
        ? try WrittenPackage(sources: [name: text], currentVersion: name)
        : WrittenPackage(files: ["contents": Data(text.utf8)])
      try package.write(to: url)
    } catch { throw ToolError(.cannotCreate, description: "\(error)") }
  }

  /// Adds a version, a copy of the current one, which becomes current.
  package static func addVersion(_ name: String, to url: URL) throws {
    do {
      let package = try versions(of: url)
      guard try !package.versionNames().contains(name) else {
        throw ToolError(.usage, description: "\(url.path) has a version “\(name)” already.")
      }
      guard !name.isEmpty, !name.contains("/"), !name.hasPrefix(".") else {
        throw ToolError(.usage, description: "“\(name)” is no name of a version.")
      }
      let former = try package.currentFile().deletingLastPathComponent()
      try FileManager.default.copyItem(
        at: former, to: url.appendingPathComponent(name + ".xcdatamodel"))
      try setCurrent(name, of: url)
    } catch { throw ToolError(error) }
  }

  package static func setCurrent(_ name: String, of url: URL) throws {
    let package = try versions(of: url)
    let names = try package.versionNames()
    guard names.contains(name) else {
      let list = names.map { "“\($0)”" }.joined(separator: ", ")
      throw ToolError(.usage, description: "\(url.path) has no version “\(name)”; it has \(list).")
    }
    do {
      let list = ["_XCCurrentVersionName": name + ".xcdatamodel"]
      try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
        .write(to: url.appendingPathComponent(".xccurrentversion"), options: .atomic)
    } catch { throw ToolError(error) }
  }

  private static func versions(of url: URL) throws -> ModelPackage {
    guard url.pathExtension.lowercased() == "xcdatamodeld" else {
      throw ToolError(.usage, description: "\(url.path): only an .xcdatamodeld has versions.")
    }
    guard FileManager.default.fileExists(atPath: url.path) else {
      throw ToolError(.noInput, description: "There is no model at \(url.path).")
    }
    return ModelPackage(url: url)
  }
}
