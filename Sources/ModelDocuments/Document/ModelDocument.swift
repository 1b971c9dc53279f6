/// What a model file says, as plain values.
///
/// A document is what Core Data makes its descriptions from, and all that the build plugin needs of a
/// model: it knows neither predicates nor expressions, only their texts.
package struct ModelDocument: Sendable {
  /// The path of the file, for messages.
  package var file: String
  package var versionIdentifier: String?
  package var entities: [ModelEntity] = []
  package var configurations: [ModelConfiguration] = []
  package var fetchRequests: [ModelFetchRequest] = []
  /// What Apple's tools let pass, and what was made of it.
  package var warnings: [ModelFileError] = []

  package init(file: String) {
    self.file = file
  }

  package var entitiesByName: [String: ModelEntity] {
    Dictionary(entities.map { ($0.name, $0) }, uniquingKeysWith: { _, last in last })
  }
}

/// A named group of entities.
package struct ModelConfiguration: Sendable {
  package let name: String
  package let entityNames: [String]

  package init(name: String, entityNames: [String]) {
    self.name = name
    self.entityNames = entityNames
  }
}

/// A fetch request template, or the request of a fetched property.
package struct ModelFetchRequest: Sendable {
  package let name: String
  package let line: Int?
  package let entityName: String
  package let predicate: String?
  package var limit = 0
  package var batchSize = 0
  package var resultType: UInt = 0
  package var includesSubentities = true
  package var includesPropertyValues = true
  package var returnsObjectsAsFaults = true
  package var returnsDistinctResults = false
  package var includesPendingChanges = true

  package init(name: String, line: Int?, entityName: String, predicate: String?) {
    self.name = name
    self.line = line
    self.entityName = entityName
    self.predicate = predicate
  }
}
