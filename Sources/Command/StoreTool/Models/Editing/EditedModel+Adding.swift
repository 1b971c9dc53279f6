import CoreData
import ModelDocuments

/// What an entity or a model gets, in the form in which Xcode writes it.
extension EditedModel {
  package mutating func addEntity(_ name: String, words: [ModelAssignment]) throws {
    guard try Self.parts(of: name).name == nil else {
      throw ToolError(.usage, description: "“\(name)”: the name of an entity has no dot.")
    }
    let taken = xml.children(of: 0, named: "entity").map { self.name(of: $0) }
    guard !taken.contains(name) else {
      throw ToolError(.usage, description: "There is an entity “\(name)” already.")
    }
    let fields = [
      "name": name, "representedClassName": name, "syncable": "YES", "codeGenerationType": "class",
    ]
    try insert("entity", fields: fields, words: words, type: nil, in: 0)
    guard let layout = xml.children(of: 0, named: "elements").first else { return }
    let place = ["name": name, "positionX": "0", "positionY": "0", "width": "128", "height": "44"]
    try xml.insert(
      ModelElement(name: "element", attributes: place), in: layout,
      after: xml.elements[layout].children.last)
  }

  package mutating func addAttribute(
    _ path: String, type: String, words: [ModelAssignment]
  ) throws {
    let (owner, name) = try Self.member(path)
    let entity = try free(name, in: owner)
    let known = ModelWords.type(type)
    var fields = ["name": name, "optional": "YES", "attributeType": known?.rawValue ?? type]
    fields.merge(known.map(Self.ownFields) ?? [:]) { $1 }
    try insert("attribute", fields: fields, words: words, type: known, in: entity)
  }

  /// What Xcode writes for a new attribute of the type.
  private static func ownFields(of type: ModelAttributeType) -> [String: String] {
    switch type {
    case .integer16, .integer32, .integer64:
      ["defaultValueString": "0", "usesScalarValueType": "YES"]
    case .double, .float: ["defaultValueString": "0.0", "usesScalarValueType": "YES"]
    case .decimal: ["defaultValueString": "0.0"]
    case .boolean: ["usesScalarValueType": "YES"]
    case .date, .uuid: ["usesScalarValueType": "NO"]
    default: [:]
    }
  }

  /// Adds a relationship to `Author` or, with its inverse, `Author.books`, which is made if the
  /// destination has none of the name.
  package mutating func addRelationship(
    _ path: String, to destination: String, words: [ModelAssignment], inverse: [ModelAssignment]
  ) throws {
    let (owner, name) = try Self.member(path)
    let (target, back) = try Self.parts(of: destination)
    _ = try entity(target)
    try insert(
      "relationship", fields: Self.fields(name, to: target, inverse: back), words: words, type: nil,
      in: try free(name, in: owner))
    guard let back, owner != target || back != name else { return }
    if let existing = property(back, of: try entity(target)) {
      guard xml.elements[existing].name == "relationship" else {
        throw ToolError(.usage, description: "“\(destination)” is no relationship.")
      }
      let words = [
        ModelAssignment("inverseName", value: name), ModelAssignment("inverseEntity", value: owner),
      ]
      return try set(destination, words: words + inverse)
    }
    try insert(
      "relationship", fields: Self.fields(back, to: owner, inverse: name), words: inverse,
      type: nil,
      in: try entity(target))
  }

  private static func fields(
    _ name: String, to destination: String, inverse: String?
  ) -> [String: String] {
    var fields = [
      "name": name, "optional": "YES", "maxCount": "1", "deletionRule": "Nullify",
      "destinationEntity": destination,
    ]
    fields["inverseName"] = inverse
    fields["inverseEntity"] = inverse.map { _ in destination }
    return fields
  }

  /// Adds an index over properties; `-pages` is descending.
  package mutating func addIndex(
    _ path: String, of properties: String, words: [ModelAssignment]
  ) throws {
    let (owner, name) = try Self.member(path)
    let entity = try entity(owner)
    let indexes = xml.children(of: entity, named: "fetchIndex").map { self.name(of: $0) }
    guard !indexes.contains(name) else {
      throw ToolError(.usage, description: "“\(owner)” has an index “\(name)” already.")
    }
    let parts = Self.list(properties).map { text in
      let isDescending = text.hasPrefix("-")
      return ModelElement(
        name: "fetchIndexElement",
        attributes: [
          "property": isDescending ? String(text.dropFirst()) : text, "type": "Binary",
          "order": isDescending ? "descending" : "ascending",
        ])
    }
    try insert(
      "fetchIndex", fields: ["name": name], words: words, type: nil, in: entity, children: parts)
  }

  /// Adds a uniqueness constraint over properties.
  package mutating func addConstraint(of owner: String, _ properties: String) throws {
    let entity = try entity(owner)
    let constraint = ModelElement(
      name: "uniquenessConstraint",
      children: Self.list(properties).map {
        ModelElement(name: "constraint", attributes: ["value": $0])
      })
    if let list = xml.children(of: entity, named: "uniquenessConstraints").first {
      return try xml.insert(constraint, in: list, after: xml.elements[list].children.last)
    }
    try insert(
      "uniquenessConstraints", fields: [:], words: [], type: nil, in: entity, children: [constraint]
    )
  }

  private static func list(_ text: String) -> [String] {
    text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
  }

  /// The entity, if it has no property of the name.
  private func free(_ name: String, in owner: String) throws -> Int {
    let entity = try entity(owner)
    guard property(name, of: entity) == nil else {
      throw ToolError(.usage, description: "“\(owner)” has a property “\(name)” already.")
    }
    return entity
  }

  private static let order = [
    "attribute", "relationship", "fetchedProperty", "fetchIndex", "uniquenessConstraints",
    "compoundIndexes", "userInfo", "entity", "fetchRequest", "configuration", "composite",
    "elements",
  ]

  /// Inserts an element where Xcode writes it: by kind and, if those of its kind are so, by name.
  private mutating func insert(
    _ kind: String, fields: [String: String], words: [ModelAssignment],
    type: ModelAttributeType?, in parent: Int, children: [ModelElement] = []
  ) throws {
    var fields = fields
    for word in words {
      let (key, value) = try ModelWords.word(word.key, value: word.value, type: type)
      fields[key] = value
    }
    if fields["toMany"] == "YES", !words.contains(where: { $0.key == "maxCount" }) {
      fields["maxCount"] = nil
    }
    let rank = Self.order.firstIndex(of: kind) ?? Self.order.count
    let siblings = xml.elements[parent].children
    let before = siblings.last {
      (Self.order.firstIndex(of: xml.elements[$0].name) ?? Self.order.count) < rank
    }
    let same = siblings.filter { xml.elements[$0].name == kind }
    let names = same.map { name(of: $0) }
    var sibling = same.last ?? before
    if let new = fields["name"], names == names.sorted(),
      let place = names.firstIndex(where: { $0 > new })
    {
      sibling = place > 0 ? same[place - 1] : before
    }
    try xml.insert(
      ModelElement(name: kind, attributes: fields, children: children), in: parent, after: sibling)
  }
}
