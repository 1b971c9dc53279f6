import Foundation

extension NSMappingModel {
  /// Reads a compiled mapping model (`.cdm`); also, unlike Apple's initialiser, an
  /// `.xcmappingmodel`. Returns nil if it cannot be read; the reason is written to standard error.
  ///
  /// Source: developer.apple.com/documentation/coredata/nsmappingmodel/init(contentsof:)
  public convenience init?(contentsOf url: URL?) {
    guard let url else { return nil }
    do { try self.init(contentsOfMappingModelAt: url) } catch {
      ModelReport.write("error: \(error)")
      return nil
    }
  }

  /// Reads a mapping model as `init(contentsOf:)` does. Throws a ``ModelFileError`` with the reason
  /// if it cannot be read.
  ///
  /// The models of an `.xcmappingmodel` are looked up at the paths in the file, beside the file and
  /// in its parent folders. If they are not found, Xcode's copy of them inside the file is used.
  public convenience init(contentsOfMappingModelAt url: URL) throws {
    let mappings = try MappingModelFile(url: url).mappings()
    self.init()
    entityMappings = mappings
  }

  /// Reads an `.xcmappingmodel` between the two given models, regardless of the paths in the file.
  /// A compiled mapping model has data about its models and does not use them. Throws a
  /// ``ModelFileError``.
  public convenience init(
    contentsOfMappingModelAt url: URL, sourceModel: NSManagedObjectModel,
    destinationModel: NSManagedObjectModel
  ) throws {
    let mappings = try MappingModelFile(url: url).mappings(
      source: ModelShape(of: sourceModel), destination: ModelShape(of: destinationModel))
    self.init()
    entityMappings = mappings
  }

  /// Writes the mapping model in the form given by the extension of the URL: `.cdm`, which Apple's
  /// framework reads.
  ///
  /// Equal mapping models have equal bytes. Throws a ``ModelFileError`` for another extension, and
  /// for expressions and user info that cannot be archived.
  ///
  /// Not part of Apple's API; there, Xcode compiles mapping models.
  public final func write(to url: URL) throws {
    guard url.pathExtension.lowercased() == "cdm" else {
      throw ModelFileError(
        file: url.path,
        problem: "expected the extension cdm; an xcmappingmodel is written with the places of its "
          + "models, by write(to:sourceModelAt:destinationModelAt:)")
    }
    try WrittenPackage(files: ["": try compiledData(file: url.path)]).write(to: url)
  }

  /// Writes an `.xcmappingmodel`, as Xcode edits it, between the models (`.xcdatamodel`) at two
  /// URLs.
  ///
  /// Leaves out expressions that Xcode makes from the names. Throws a ``ModelFileError`` with the
  /// mapping and the property for contents that this form cannot represent: names of mappings other
  /// than `SourceToDestination`, types other than those that follow from the mapping, hashes other
  /// than the models', source expressions other than a fetch of the source entity, orders of
  /// properties other than by name, user info, a property without an expression that the source has
  /// too.
  ///
  /// Not part of Apple's API. Leaves out the copies of the models that Xcode keeps inside the file.
  public final func write(
    to url: URL, sourceModelAt source: URL, destinationModelAt destination: URL
  ) throws {
    guard url.pathExtension.lowercased() == "xcmappingmodel" else {
      throw ModelFileError(file: url.path, problem: "expected the extension xcmappingmodel")
    }
    let text = try MappingDocumentBuilder(
      url: url, mappings: entityMappings, source: source, destination: destination
    ).text()
    try WrittenPackage(files: ["xcmapping.xml": Data(text.utf8)]).write(to: url)
  }

  /// The contents of a `.cdm`.
  package final func compiledData(file: String) throws -> Data {
    try MappingArchiveWriter.data(entityMappings.map { try $0.compiled() }, file: file)
  }
}

/// A file or folder that contains a mapping model.
struct MappingModelFile {
  let url: URL

  func mappings() throws -> [NSEntityMapping] {
    try MappingModelArchive.mappings(data { try $0.compiled() }, file: url.path)
  }

  func mappings(source: ModelShape, destination: ModelShape) throws -> [NSEntityMapping] {
    try MappingModelArchive.mappings(
      data { try $0.compiled(source: source, destination: destination) }, file: url.path)
  }

  private func data(compiling: (MappingPackage) throws -> Data) throws -> Data {
    switch url.pathExtension.lowercased() {
    case "cdm": return try ModelPackage.contents(of: url)
    case "xcmappingmodel": return try compiling(MappingPackage(url: url))
    default:
      throw ModelFileError(
        file: url.path,
        problem: "this is not a mapping model: expected the extension cdm or xcmappingmodel")
    }
  }
}

extension ModelShape {
  /// Makes the shape of a model.
  init(of model: NSManagedObjectModel) {
    self.init(
      entities: model.entitiesByName.mapValues { entity in
        Entity(
          parentName: entity.superentity?.name, versionHash: entity.versionHash,
          attributes: Set(entity.attributesByName.keys),
          relationships: entity.relationshipsByName.mapValues { $0.destinationEntityName ?? "" })
      })
  }
}
