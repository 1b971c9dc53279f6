/// The description of an entity in a model file.
package struct ModelEntity: Sendable {
  package let name: String
  package let line: Int?
  /// The class name, prefixed with the module if the file leaves that open; "NSManagedObject" if
  /// the file names no class.
  package var className = "NSManagedObject"
  package var parentName: String?
  package var isAbstract = false
  package var versionHashModifier: String?
  package var renamingIdentifier: String?
  /// The kind of generated code: "class", "category", or nil for none.
  package var codeGenerationType: String?
  package var userInfo: [String: String] = [:]
  /// The properties that the entity itself declares.
  package var properties: [ModelProperty] = []
  package var indexes: [ModelIndex] = []
  package var uniquenessConstraints: [[String]] = []

  package init(name: String, line: Int?) {
    self.name = name
    self.line = line
  }
}

/// An index of an entity's table.
package struct ModelIndex: Sendable {
  package let name: String
  package let line: Int?
  package var elements: [ModelIndexElement]
  package var partialPredicate: String?

  package init(
    name: String, line: Int?, elements: [ModelIndexElement], partialPredicate: String? = nil
  ) {
    self.name = name
    self.line = line
    self.elements = elements
    self.partialPredicate = partialPredicate
  }
}

/// A property or an expression in an index.
package struct ModelIndexElement: Sendable {
  package enum Subject: Sendable {
    case property(String)
    case expression(String, type: UInt)
  }

  package let subject: Subject
  package var isSpatial = false
  package var isAscending = true

  package init(subject: Subject, isSpatial: Bool = false, isAscending: Bool = true) {
    self.subject = subject
    self.isSpatial = isSpatial
    self.isAscending = isAscending
  }
}
