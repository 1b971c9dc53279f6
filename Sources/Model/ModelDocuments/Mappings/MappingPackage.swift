import Foundation

/// Finds the document of an `.xcmappingmodel` and its source and destination models.
///
///     X.xcmappingmodel/   xcmapping.xml
///
/// A model is searched at the document's path relative to the mapping model's folder and to its
/// parent folders: by the whole path first, then by its last components. If it is in none of them,
/// the editor's copy inside the document is used.
package struct MappingPackage {
  package let url: URL
  private static let contents = "xcmapping.xml"

  package init(url: URL) {
    self.url = url
  }

  package func document() throws -> MappingDocument {
    let file = url.appendingPathComponent(Self.contents)
    return try MappingDocument(data: ModelPackage.contents(of: file), file: file.path)
  }

  /// The compiled mapping model, with the models found by the document's paths.
  package func compiled() throws -> Data {
    let document = try document()
    return try compiled(
      document, source: shape(of: document.source, "source"),
      destination: shape(of: document.destination, "destination"))
  }

  /// The compiled mapping model for two given models.
  package func compiled(source: ModelShape, destination: ModelShape) throws -> Data {
    try compiled(try document(), source: source, destination: destination)
  }

  private func compiled(
    _ document: MappingDocument, source: ModelShape, destination: ModelShape
  ) throws -> Data {
    let mappings = try MappingCompiler(document, source: source, destination: destination)
      .mappings()
    return try MappingArchiveWriter.data(mappings, file: document.file)
  }

  private func shape(of model: MappedModel, _ side: String) throws -> ModelShape {
    if let package = model.path.flatMap(package(at:)) {
      let file = try package.currentFile()
      return ModelShape(
        of: try ModelDocument(data: ModelPackage.contents(of: file), file: file.path))
    }
    if let copy = model.copy {
      return ModelShape(
        of: try ModelDocument(data: copy, file: "\(url.path) (its copy of the \(side) model)"))
    }
    throw ModelFileError(
      file: url.path,
      problem: "its \(side) model “\(model.path ?? "")” is not found, in no folder around it; "
        + "put the model beside it, or hand the models in")
  }

  /// The files of the models that are found; a compiled mapping model depends on them.
  package func modelFiles() throws -> [URL] {
    let document = try document()
    return try [document.source, document.destination].compactMap { model in
      try model.path.flatMap(package(at:))?.currentFile()
    }
  }

  private func package(at path: String) -> ModelPackage? {
    let parts = path.split(separator: "/").map(String.init)
    guard let last = parts.last else { return nil }
    let suffixes = [parts, Array(parts.suffix(2)), [last]].map { $0.joined(separator: "/") }
    var folder = url.deletingLastPathComponent().standardizedFileURL
    let beside = packages(in: folder).map { $0.appendingPathComponent(last) }
    var candidates = [URL(fileURLWithPath: path)].filter { _ in path.hasPrefix("/") }
    candidates += suffixes.map { folder.appendingPathComponent($0) } + beside
    while folder.path != "/", !folder.path.isEmpty {
      folder.deleteLastPathComponent()
      candidates += suffixes.prefix(2).map { folder.appendingPathComponent($0) }
    }
    return candidates.first { FileManager.default.fileExists(atPath: $0.path) }
      .map(ModelPackage.init)
  }

  private func packages(in folder: URL) -> [URL] {
    // A folder that cannot be listed has no readable models.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.sorted().filter { $0.hasSuffix(".xcdatamodeld") }.map {
      folder.appendingPathComponent($0)
    }
  }
}
