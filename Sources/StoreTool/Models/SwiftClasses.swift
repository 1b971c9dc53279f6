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
        .usage, "There is no flavour “\(flavour)”; there are \(flavours.joined(separator: ", ")).")
    }
    guard model.isFileURL else {
      throw ToolError(
        .usage,
        "Classes are written of a source model, and \(model.place) is a store: write its model to a file first, with "
          + "“coredata model convert ADDRESS Model.xcdatamodeld”.")
    }
    do {
      let code = try CodeGeneration(
        model: model, moduleName: module, options: CodeOptions(flavour: flavour),
        entityNames: entities.isEmpty ? nil : Set(entities))
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      return try code.write(into: folder)
    } catch { throw ToolError(error) }
  }
}
