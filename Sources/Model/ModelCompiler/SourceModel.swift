import Foundation
import ModelDocuments

/// A model of the target with its current version.
struct SourceModel {
  let package: ModelPackage
  let name: String
  let currentVersion: String
  let current: ModelDocument
  /// The text of the current version that is embedded in the program.
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

  /// The root element of a version, with class names qualified by the module.
  static func root(of file: URL, moduleName: String) throws -> ModelElement {
    let root = try ModelElement.root(of: try ModelPackage.contents(of: file), file: file.path)
    root.resolveClassNames(module: moduleName)
    return root
  }
}
