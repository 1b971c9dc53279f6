import CoreData
import ModelDocuments

/// The `contents` of a model's version while it is edited. What an edit does not touch stays as it
/// is, byte by byte.
///
/// Entities are named `Book`, their properties, indexes and constraints `Book.title`.
package struct EditedModel {
  private let file: URL
  private let former: Data
  var xml: EditedXML

  /// - Parameter version: the current version for nil.
  package init(model: URL, version: String?) throws {
    do {
      let package = ModelPackage(url: model)
      guard ["xcdatamodeld", "xcdatamodel"].contains(model.pathExtension.lowercased()) else {
        throw ToolError(
          .usage,
          description:
            "\(model.path): only source models are edited, .xcdatamodeld and .xcdatamodel; “coredata model convert” "
            + "makes one of a compiled model or of a store.")
      }
      guard FileManager.default.fileExists(atPath: model.path) else {
        throw ToolError(
          .noInput,
          description:
            "There is no model at \(model.path); “coredata model new \(model.lastPathComponent)” makes one."
        )
      }
      if let version, try !package.versionNames().contains(version) {
        let names = try package.versionNames().map { "“\($0)”" }.joined(separator: ", ")
        throw ToolError(
          .usage, description: "\(model.path) has no version “\(version)”; it has \(names).")
      }
      file = try version.map { try package.file(version: $0) } ?? package.currentFile()
      guard file.lastPathComponent == "contents" else {
        throw ToolError(
          .badData,
          description:
            "\(file.path) is of Xcode 4.2 or older; “coredata model convert” makes a model that can be edited."
        )
      }
      former = try ModelPackage.contents(of: file)
      xml = try EditedXML(former)
    } catch let damage as FileDamage {
      throw ToolError(
        .badData, description: "\(model.path): this is not a readable XML file: \(damage.text)")
    } catch { throw ToolError(error) }
    guard xml.elements[0].name == "model" else {
      throw ToolError(
        .badData,
        description:
          "\(file.path): the root element is “\(xml.elements[0].name)”, expected “model”.")
    }
  }

  /// Writes the file, unless the model would have an error or a warning that it does not have now.
  package func save() throws {
    let data = xml.data
    guard data != former else { return }
    do {
      // A model that cannot be read has no warnings, and may be mended.
      let known = (try? Self.warnings(former, file: file.path)) ?? []
      let new = try Self.warnings(data, file: file.path).filter { !known.contains($0) }
      guard new.isEmpty else { throw ToolError(.usage, description: new.joined(separator: "\n")) }
      try Self.build(data)
      try data.write(to: file, options: .atomic)
    } catch let error as ModelFileError { throw ToolError(.usage, description: Self.text(error)) }
  }

  private static func warnings(_ data: Data, file: String) throws -> [String] {
    try ModelDocument(data: data, file: file).warnings.map(text)
  }

  private static func text(_ fault: ModelFileError) -> String {
    let subject = [fault.entity, fault.property].compactMap(\.self).joined(separator: ".")
    return subject.isEmpty ? fault.problem : "\(subject): \(fault.problem)"
  }

  /// Finds what only a build finds, such as predicates that cannot be read.
  private static func build(_ data: Data) throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("coredata-\(UUID().uuidString).xcdatamodel")
    defer { try? FileManager.default.removeItem(at: folder) }  // Only a copy.
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try data.write(to: folder.appendingPathComponent("contents"))
    _ = try ModelSource.version(at: folder, named: nil)
  }

  /// The lines that an edit takes away and adds, with “-” and “+”.
  package var changes: [String] {
    let lines = [former, xml.data].map {
      String(decoding: $0, as: UTF8.self).split(whereSeparator: \.isNewline)
        .map { $0.trimmingCharacters(in: .whitespaces) }
    }
    return lines[1].difference(from: lines[0]).map { change in
      switch change {
      case .remove(_, let line, _): "- \(line)"
      case .insert(_, let line, _): "+ \(line)"
      }
    }
  }

  // MARK: - Finding

  private static let properties = ["attribute", "relationship", "fetchedProperty"]

  func entity(_ name: String) throws -> Int {
    let entities = xml.children(of: 0, named: "entity")
    if let found = entities.first(where: { self.name(of: $0) == name }) { return found }
    let names = entities.map { self.name(of: $0) }.sorted().joined(separator: ", ")
    throw ToolError(
      .usage,
      description:
        "There is no entity “\(name)”\(names.isEmpty ? "; “coredata model add MODEL entity \(name)” makes one" : ": the model has \(names)")."
    )
  }

  func property(_ name: String, of entity: Int) -> Int? {
    xml.elements[entity].children.first {
      Self.properties.contains(xml.elements[$0].name) && self.name(of: $0) == name
    }
  }

  func name(of element: Int) -> String { xml.elements[element].attributes["name"] ?? "" }

  /// The element of `Book`, or of a property or an index as `Book.title`.
  func element(_ path: String) throws -> Int {
    let (owner, name) = try Self.parts(of: path)
    guard let name else { return try entity(owner) }
    let entity = try entity(owner)
    if let found = property(name, of: entity) { return found }
    let indexes = xml.children(of: entity, named: "fetchIndex")
    if let found = indexes.first(where: { self.name(of: $0) == name }) { return found }
    let names = xml.elements[entity].children.map { self.name(of: $0) }.filter { !$0.isEmpty }
    throw ToolError(
      .usage,
      description:
        "“\(owner)” has no property or index “\(name)”: it has \(names.joined(separator: ", ")).")
  }

  /// `Book.title` as its two names; the second is nil for an entity.
  static func parts(of path: String) throws -> (owner: String, name: String?) {
    let parts = path.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
      .map(String.init)
    guard parts.allSatisfy({ !$0.isEmpty && !$0.contains(".") }), let owner = parts.first else {
      throw ToolError(.usage, description: "“\(path)”: expected an entity, or ENTITY.PROPERTY.")
    }
    return (owner, parts.count > 1 ? parts[1] : nil)
  }

  /// `ENTITY.NAME` as its two names.
  static func member(_ path: String) throws -> (owner: String, name: String) {
    let (owner, name) = try parts(of: path)
    guard let name else { throw ToolError(.usage, description: "“\(path)”: expected ENTITY.NAME.") }
    return (owner, name)
  }

  func type(of element: Int) -> ModelAttributeType? {
    xml.elements[element].attributes["attributeType"].flatMap(ModelAttributeType.init)
  }
}
