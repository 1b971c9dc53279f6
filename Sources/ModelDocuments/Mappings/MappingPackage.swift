import Foundation

/// Finds the document of an `.xcmappingmodel`, and the two models that it leads between.
///
///     X.xcmappingmodel/   xcmapping.xml
///
/// A model is looked for where the document says that it is, in the folder of the mapping model and in those
/// around it: first by the whole path, then by its last parts. Where it is in none, the copy that the
/// editor keeps inside the document stands for it.
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

  /// The compiled mapping model, its models found by the document's paths.
  package func compiled() throws -> Data {
    let document = try document()
    return try compiled(
      document, source: shape(of: document.source, "source"),
      destination: shape(of: document.destination, "destination"))
  }

  /// The compiled mapping model between two models that are at hand.
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

  /// The files of the models, where they are found: those that a compiled mapping model depends on.
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
    // A folder that cannot be listed has no models that could be read.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.sorted().filter { $0.hasSuffix(".xcdatamodeld") }.map {
      folder.appendingPathComponent($0)
    }
  }
}
