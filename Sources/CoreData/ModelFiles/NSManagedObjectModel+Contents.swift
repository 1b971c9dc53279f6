import Foundation

extension NSManagedObjectModel {
  /// Reads a model from a `.momd` or `.mom`, and beyond what Apple's initialiser takes also from an
  /// `.xcdatamodeld` or `.xcdatamodel`.
  ///
  /// Nil when it cannot be read; the reason is written to the standard error stream.
  /// Source: developer.apple.com/documentation/coredata/nsmanagedobjectmodel/init(contentsof:)
  public convenience init?(contentsOf url: URL) {
    do {
      try self.init(contentsOfModelAt: url)
    } catch {
      FileHandle.standardError.write(Data("CoreData: error: \(error)\n".utf8))
      return nil
    }
  }

  /// Reads a model as `init(contentsOf:)` does, and throws a ``ModelFileError`` that says what is
  /// wrong.
  public convenience init(contentsOfModelAt url: URL) throws {
    let model = try ModelPackage(url: url).currentModel()
    self.init(takingContentsOf: model)
  }

  /// Takes over everything of a model that nobody else has.
  package convenience init(takingContentsOf model: NSManagedObjectModel) {
    self.init()
    let entities = model.entities
    model.entities = []
    self.entities = entities
    configurationMembers = model.configurationMembers
    storedTemplates = model.storedTemplates
    versionIdentifiers = model.versionIdentifiers
    compilerVersions = model.compilerVersions
  }
}
