import Foundation

extension NSMappingModel {
  /// Reads a compiled mapping model (`.cdm`), and beyond what Apple's initialiser takes also an
  /// `.xcmappingmodel`. Nil when it cannot be read; the reason goes to the standard error stream.
  ///
  /// Source: developer.apple.com/documentation/coredata/nsmappingmodel/init(contentsof:)
  public convenience init?(contentsOf url: URL?) {
    guard let url else { return nil }
    do { try self.init(contentsOfMappingModelAt: url) } catch {
      ModelReport.write("error: \(error)")
      return nil
    }
  }

  /// Reads a mapping model as `init(contentsOf:)` does, and throws a ``ModelFileError`` that says what is
  /// wrong.
  ///
  /// The models of an `.xcmappingmodel` are looked for where it says that they are, beside it and in the
  /// folders around it; what Xcode's copy of them inside the file says is used where they are in none.
  public convenience init(contentsOfMappingModelAt url: URL) throws {
    let mappings = try MappingModelFile(url: url).mappings()
    self.init()
    entityMappings = mappings
  }

  /// Reads an `.xcmappingmodel` between two models that are at hand, wherever it says that they are. A
  /// compiled mapping model has its own notes of them.
  public convenience init(
    contentsOfMappingModelAt url: URL, sourceModel: NSManagedObjectModel,
    destinationModel: NSManagedObjectModel
  ) throws {
    let mappings = try MappingModelFile(url: url).mappings(
      source: ModelShape(of: sourceModel), destination: ModelShape(of: destinationModel))
    self.init()
    entityMappings = mappings
  }

  /// Writes the mapping model as the extension of the URL says: `.cdm`, which Apple's framework reads.
  ///
  /// Equal mapping models have the same bytes. Throws a ``ModelFileError`` for another extension, and for
  /// expressions and user info that cannot be archived.
  ///
  /// Beyond Apple's API, where Xcode compiles mapping models.
  public final func write(to url: URL) throws {
    guard url.pathExtension.lowercased() == "cdm" else {
      throw ModelFileError(
        file: url.path,
        problem: "expected the extension cdm; an xcmappingmodel is written with the places of its "
          + "models, by write(to:sourceModelAt:destinationModelAt:)")
    }
    try WrittenPackage(files: ["": try compiledData(file: url.path)]).write(to: url)
  }

  /// Writes an `.xcmappingmodel`, as Xcode edits it, between the models (`.xcdatamodel`) at two places.
  ///
  /// Expressions that Xcode would make of the names alone are left to it. Throws a ``ModelFileError`` that names
  /// the mapping and the property for what this form does not hold: names of mappings other than
  /// `SourceToDestination`, types other than those that follow from the mapping, hashes other than the models',
  /// source expressions other than a fetch of the source entity, orders of properties other than by name, user
  /// info, a property without an expression that the source has too.
  ///
  /// Beyond Apple's API. The copies of the models that Xcode keeps inside the file are left to it.
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

/// A file or folder that holds a mapping model.
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
  /// The shape of a model that is at hand.
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
