import Foundation

/// Reads the `xcmapping.xml` of an `.xcmappingmodel`, an XML store of the editor's own objects.
///
///     database
///       object type id          attribute name type (text), relationship name idrefs
///         XDDEVMAPPINGMODEL       sourcemodelpath, sourcemodeldata, destinationmodelpath,
///                                 destinationmodeldata; entitymappings
///         XDDEVENTITYMAPPING      mappingnumber (the order), sourcename, destinationname,
///                                 migrationpolicyclassname; attributemappings,
///                                 relationshipmappings
///         XDDEVATTRIBUTEMAPPING   name, valueexpressiondata (base64 of a keyed archive)
///         XDDEVRELATIONSHIPMAPPING  those of attributes, sourcekeypath, sourcemappingname,
///                                 autogenerateexpression
///
/// Objects that no entity mapping refers to are left over from editing and ignored.
struct MappingReader {
  private typealias Fields = (attributes: [String: ModelElement], lists: [String: [String]])

  private let file: String
  private var objects: [String: (element: ModelElement, fields: Fields)] = [:]
  private var models: [String] = []

  init(root: ModelElement, file: String) throws {
    self.file = file
    guard root.name == "database" else {
      throw ModelFileError(
        file: file, line: root.line,
        problem: "the root element is “\(root.name)”, expected “database”")
    }
    for object in root.children(named: "object") {
      guard let identifier = object["id"], let type = object["type"]?.uppercased() else {
        throw error(object, problem: "an object has no id or no type")
      }
      guard objects.updateValue((object, Self.fields(of: object)), forKey: identifier) == nil else {
        throw error(object, problem: "there is more than one object “\(identifier)”")
      }
      if type == "XDDEVMAPPINGMODEL" { models.append(identifier) }
    }
  }

  func document() throws -> MappingDocument {
    guard models.count == 1, let model = objects[models[0]] else {
      throw ModelFileError(
        file: file, problem: "expected one mapping model in it, found \(models.count)")
    }
    var document = MappingDocument(file: file)
    document.source = try mappedModel("source", fields: model.fields)
    document.destination = try mappedModel("destination", fields: model.fields)
    let members = try members(
      "entitymappings", of: model.fields, type: "XDDEVENTITYMAPPING", element: model.element)
    let numbered = try members.enumerated().map { place, member in
      (
        number: number(of: member.fields) ?? Int.max, place,
        try entity(member.element, fields: member.fields)
      )
    }
    document.entities = numbered.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
    return document
  }

  private static func fields(of object: ModelElement) -> Fields {
    var fields: Fields = ([:], [:])
    for child in object.children {
      guard let name = child["name"] else { continue }
      if child.name == "attribute" { fields.attributes[name] = child }
      if child.name == "relationship" {
        fields.lists[name] = (child["idrefs"] ?? "").split(separator: " ").map(String.init)
      }
    }
    return fields
  }

  private func mappedModel(_ side: String, fields: Fields) throws -> MappedModel {
    MappedModel(
      path: text("\(side)modelpath", fields: fields),
      copy: try data("\(side)modeldata", fields: fields))
  }

  private func entity(_ element: ModelElement, fields: Fields) throws -> MappedEntity {
    var entity = MappedEntity(line: element.line)
    entity.sourceName = text("sourcename", fields: fields)
    entity.destinationName = text("destinationname", fields: fields)
    entity.policyClassName = text("migrationpolicyclassname", fields: fields)
    guard entity.sourceName != nil || entity.destinationName != nil else {
      throw error(element, problem: "an entity mapping has neither a source nor a destination")
    }
    entity.attributes = try properties("attribute", of: fields, element: element)
    entity.relationships = try properties("relationship", of: fields, element: element)
    return entity
  }

  private func properties(
    _ kind: String, of fields: Fields, element: ModelElement
  ) throws -> [MappedProperty] {
    let type = "XDDEV\(kind.uppercased())MAPPING"
    return try members("\(kind)mappings", of: fields, type: type, element: element).map { member in
      guard let name = text("name", fields: member.fields) else {
        throw error(member.element, problem: "the mapping of a property has no name")
      }
      var property = MappedProperty(name: name, line: member.element.line)
      property.expression = try data("valueexpressiondata", fields: member.fields)
      property.keyPath = text("sourcekeypath", fields: member.fields)
      property.mappingName = text("sourcemappingname", fields: member.fields)
      property.isAutomatic = text("autogenerateexpression", fields: member.fields) != "0"
      return property
    }
  }

  private func members(
    _ name: String, of fields: Fields, type: String, element: ModelElement
  ) throws -> [(element: ModelElement, fields: Fields)] {
    try (fields.lists[name] ?? []).map { identifier in
      guard let member = objects[identifier], member.element["type"]?.uppercased() == type else {
        throw error(element, problem: "\(name) refers to “\(identifier)”, which is no \(type)")
      }
      return member
    }
  }

  private func text(_ name: String, fields: Fields) -> String? {
    fields.attributes[name].flatMap { $0.content.isEmpty ? nil : $0.content }
  }

  private func number(of fields: Fields) -> Int? {
    text("mappingnumber", fields: fields).flatMap { Int($0) }
  }

  private func data(_ name: String, fields: Fields) throws -> Data? {
    guard let element = fields.attributes[name], !element.content.isEmpty else { return nil }
    guard let data = Data(base64Encoded: element.content, options: .ignoreUnknownCharacters) else {
      throw error(element, problem: "\(name) is not base64")
    }
    return data
  }

  private func error(_ element: ModelElement, problem: String) -> ModelFileError {
    ModelFileError(file: file, line: element.line, problem: problem)
  }
}

extension MappingDocument {
  /// Reads an `xcmapping.xml`.
  package init(data: Data, file: String) throws {
    self = try MappingReader(root: ModelElementParser.root(of: data, file: file), file: file)
      .document()
  }
}
