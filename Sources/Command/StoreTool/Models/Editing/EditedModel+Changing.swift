import CoreData
import ModelDocuments

/// A word of a model's XML, or one of the shorter words of the command line, and its value.
package struct ModelAssignment: Sendable {
  package let key: String
  package let value: String

  package init(_ key: String, value: String) {
    self.key = key
    self.value = value
  }

  /// `KEY=VALUE`.
  package init(_ text: String) throws {
    guard let sign = text.firstIndex(of: "="), sign != text.startIndex else {
      throw ToolError(.usage, description: "“\(text)”: expected KEY=VALUE.")
    }
    key = String(text[..<sign])
    value = String(text[text.index(after: sign)...])
  }
}

extension EditedModel {
  /// Changes an entity, a property or an index. A new name reaches everything that names it, and
  /// the former name stays as the identifier by which migrations find the values.
  package mutating func set(_ path: String, words: [ModelAssignment]) throws {
    for word in words where word.key != "name" {
      let element = try element(path)
      let kind = ModelWords.key(word.key, type: nil) == "attributeType"
      let (key, value) = try ModelWords.word(
        word.key, value: word.value, type: kind ? nil : type(of: element))
      try xml.set(key, to: value, of: element)
      try follow(key, value: value, of: try self.element(path))
    }
    if let name = words.last(where: { $0.key == "name" }) { try rename(path, to: name.value) }
  }

  package mutating func clear(_ path: String, key: String) throws {
    let element = try element(path)
    let key = ModelWords.key(key, type: type(of: element))
    guard xml.elements[element].attributes[key] != nil else {
      throw ToolError(.usage, description: "“\(path)” has no “\(key)”.")
    }
    try xml.set(key, to: nil, of: element)
  }

  /// Sets what Xcode writes beside a word.
  private mutating func follow(_ key: String, value: String?, of element: Int) throws {
    let present = xml.elements[element].attributes
    switch key {
    case "toMany":
      if value == nil, present["maxCount"] == nil { try xml.set("maxCount", to: "1", of: element) }
      if value != nil, present["maxCount"] == "1" { try xml.set("maxCount", to: nil, of: element) }
    case "inverseName":
      if present["inverseEntity"] == nil {
        try xml.set("inverseEntity", to: present["destinationEntity"], of: element)
      }
    case "derivationExpression": try xml.set("derived", to: "YES", of: element)
    default: break
    }
  }

  // MARK: - Names

  private mutating func rename(_ path: String, to name: String) throws {
    let (owner, former) = try Self.parts(of: path)
    let element = try element(path)
    let isIndex = xml.elements[element].name == "fetchIndex"
    guard name != (former ?? owner) else { return }
    guard try Self.parts(of: name).name == nil else {
      throw ToolError(.usage, description: "“\(name)”: a name has no dot.")
    }
    let taken =
      former == nil
      ? xml.children(of: 0, named: "entity").map { self.name(of: $0) }
      : xml.elements[try entity(owner)].children.map { self.name(of: $0) }
    guard !taken.contains(name) else {
      throw ToolError(.usage, description: "There is something of the name “\(name)” already.")
    }
    try xml.set("name", to: name, of: element)
    guard !isIndex else { return }
    if xml.elements[element].attributes["elementID"] == nil {
      try xml.set("elementID", to: former ?? owner, of: element)
    }
    if let former {
      try renameProperty(former, of: owner, to: name)
    } else {
      try renameEntity(owner, to: name, element: element)
    }
  }

  private mutating func renameEntity(_ former: String, to name: String, element: Int) throws {
    let className = xml.elements[element].attributes["representedClassName"]
    if className == former { try xml.set("representedClassName", to: name, of: element) }
    if className == "." + former {
      try xml.set("representedClassName", to: "." + name, of: element)
    }
    let keys = [
      "entity": ["parentEntity"], "relationship": ["destinationEntity", "inverseEntity"],
      "memberEntity": ["name"], "fetchRequest": ["entity"], "element": ["name"],
    ]
    try replace(former, with: name) { keys[$0.name] ?? [] }
  }

  private mutating func renameProperty(_ former: String, of owner: String, to name: String) throws {
    let family = family(of: owner)
    let inside = [
      "fetchIndexElement": ["property"], "constraint": ["value"], "index": ["value"],
    ]
    let xml = xml
    try replace(former, with: name) { element in
      if element.name == "relationship" {
        return family.contains(element.attributes["destinationEntity"] ?? "") ? ["inverseName"] : []
      }
      var parent = element.parent
      while let place = parent, xml.elements[place].name != "entity" {
        parent = xml.elements[place].parent
      }
      let entity = parent.flatMap { xml.elements[$0].attributes["name"] } ?? ""
      return family.contains(entity) ? inside[element.name] ?? [] : []
    }
  }

  /// The entity and all that inherit from it.
  private func family(of name: String) -> Set<String> {
    var found: Set = [name]
    let entities = xml.children(of: 0, named: "entity").map { xml.elements[$0].attributes }
    var count = 0
    while count != found.count {
      count = found.count
      for entity in entities where found.contains(entity["parentEntity"] ?? "") {
        found.insert(entity["name"] ?? "")
      }
    }
    return found
  }

  /// Replaces a value of the attributes that `keys` names. Numbers of elements stay the same.
  private mutating func replace(
    _ former: String, with name: String, keys: (EditedXML.Element) -> [String]
  ) throws {
    for place in xml.elements.indices {
      let element = xml.elements[place]
      for key in keys(element) where element.attributes[key] == former {
        try xml.set(key, to: name, of: place)
      }
    }
  }

  // MARK: - Removing

  /// Removes an entity, a property or an index; relationships whose inverse goes have none then.
  package mutating func remove(_ path: String) throws {
    let (owner, name) = try Self.parts(of: path)
    let element = try element(path)
    let isRelationship = xml.elements[element].name == "relationship"
    try xml.remove(element)
    guard let name else {
      let places = xml.elements.indices.filter {
        xml.elements[$0].name == "element" && self.name(of: $0) == owner
      }
      return try places.last.map { try xml.remove($0) } ?? ()
    }
    guard isRelationship else { return }
    let family = family(of: owner)
    for place in xml.elements.indices {
      let other = xml.elements[place].attributes
      guard xml.elements[place].name == "relationship", other["inverseName"] == name,
        family.contains(other["destinationEntity"] ?? "")
      else { continue }
      try xml.set("inverseName", to: nil, of: place)
      try xml.set("inverseEntity", to: nil, of: place)
    }
  }
}
