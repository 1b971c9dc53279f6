import CoreData
import ModelDocuments

/// The warnings about a source model, for mistakes that Xcode accepts.
package enum ModelWarnings {
  /// Throws an error with all warnings about one version, or about all.
  package static func refuse(in model: URL, version: String?) throws {
    guard ["xcdatamodeld", "xcdatamodel"].contains(model.pathExtension.lowercased()) else { return }
    do {
      let package = ModelPackage(url: model)
      let names = try package.versionNames().filter { version == nil || $0 == version }
      let warnings = try names.flatMap { name in
        let file = try package.file(version: name)
        return try ModelDocument(data: ModelPackage.contents(of: file), file: file.path).warnings
      }
      guard !warnings.isEmpty else { return }
      throw ToolError(.badData, description: warnings.map(\.description).joined(separator: "\n"))
    } catch { throw ToolError(error) }
  }
}
