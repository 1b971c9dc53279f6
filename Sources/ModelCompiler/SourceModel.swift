import Foundation
import ModelDocuments

/// A model of the target, of which the current version is read.
struct SourceModel {
  let package: ModelPackage
  let name: String
  let currentVersion: String
  let current: ModelDocument
  /// The current version as it is embedded.
  let text: String

  init(url: URL, moduleName: String) throws {
    package = ModelPackage(url: url)
    name = url.deletingPathExtension().lastPathComponent
    currentVersion = try package.currentVersionName()
    let file = try package.file(version: currentVersion)
    let root = try Self.root(of: file, moduleName: moduleName)
    text = root.text
    current = try ModelDocument(root: root, file: file.path)
  }

  /// The elements of a version, with the module's name in the names of classes.
  static func root(of file: URL, moduleName: String) throws -> ModelElement {
    let root = try ModelElement.root(of: try ModelPackage.contents(of: file), file: file.path)
    root.resolveClassNames(module: moduleName)
    return root
  }
}
