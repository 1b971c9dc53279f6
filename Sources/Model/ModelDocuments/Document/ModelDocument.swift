/// The contents of a model file as plain values.
///
/// Core Data makes its descriptions of a document, and the build plugin needs nothing else of a
/// model. Predicates and expressions are kept as texts.
package struct ModelDocument: Sendable {
  /// The path of the file, for messages.
  package var file: String
  package var versionIdentifier: String?
  package var entities: [ModelEntity] = []
  package var configurations: [ModelConfiguration] = []
  package var fetchRequests: [ModelFetchRequest] = []
  /// Faults of the file that Apple's tools tolerate, with the reading chosen here.
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
