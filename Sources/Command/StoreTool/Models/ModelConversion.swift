import CoreData

/// Writes a model in another form: source to compiled, compiled to source, or a store's model to a
/// file.
package enum ModelConversion {
  private static let extensions = ["xcdatamodel", "xcdatamodeld", "mom", "momd"]

  /// Writes all versions if the form can contain several, else the current one. Throws if the file
  /// exists already.
  package static func convert(_ source: URL, version: String?, to destination: URL) throws {
    do {
      let form = destination.pathExtension.lowercased()
      guard extensions.contains(form) else {
        throw ToolError(
          .usage,
          description:
            "\(destination.path): the extension says the form; expected one of \(extensions.joined(separator: ", "))."
        )
      }
      guard !FileManager.default.fileExists(atPath: destination.path) else {
        throw ToolError(
          .cannotCreate,
          description:
            "There is something at \(destination.path) already; name another one, or remove it.")
      }
      let versions = try ModelSource.versions(at: source)
      guard version == nil, form.hasSuffix("d"), versions.count > 1,
        let current = versions.first(where: \.isCurrent)
      else {
        return try ModelSource.version(at: source, named: version).model.write(to: destination)
      }
      try NSManagedObjectModel.write(
        Dictionary(versions.map { ($0.name, $0.model) }, uniquingKeysWith: { first, _ in first }),
        currentVersion: current.name, to: destination)
    } catch { throw ToolError(error) }
  }
}
