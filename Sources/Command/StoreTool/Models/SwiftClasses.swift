import Foundation
import ModelCompiler

/// Writes the Swift classes of a model to a folder.
package enum SwiftClasses {
  package static let flavours = CodeOptions.Flavour.allCases.map(\.rawValue)

  /// Writes the classes, and returns the names of the files.
  package static func write(
    of model: URL, module: String, flavour: String, entities: [String], into folder: URL
  ) throws -> [String] {
    guard let flavour = CodeOptions.Flavour(rawValue: flavour) else {
      throw ToolError(
        .usage,
        description:
          "There is no flavour “\(flavour)”; there are \(flavours.joined(separator: ", ")).")
    }
    if let form = form(ofNoSource: model) {
      throw ToolError(
        .usage,
        description:
          "Classes are written of a source model, and \(model.place) is \(form): write its model to a file first, with "
          + "“coredata model convert \(model.isFileURL ? model.lastPathComponent : "ADDRESS") Model.xcdatamodeld”."
      )
    }
    do {
      let code = try CodeGeneration(
        model: model, moduleName: module, options: CodeOptions(flavour: flavour),
        entityNames: entities.isEmpty ? nil : Set(entities))
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      return try code.write(into: folder)
    } catch { throw ToolError(error) }
  }

  /// What has a model and is no source of one; nil for everything else.
  private static func form(ofNoSource model: URL) -> String? {
    if ["mom", "momd"].contains(model.pathExtension) { return "a compiled model" }
    return (try? StoreFormat(at: model)) == nil ? nil : "a store"
  }
}
