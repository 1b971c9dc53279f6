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
}

/// A fetch request template, or the request of a fetched property.
package struct ModelFetchRequest: Sendable {
  package let name: String
  package let line: Int?
  package let entityName: String
  package let predicate: String?
  package let limit: Int
  package let batchSize: Int
  package let resultType: UInt
  package let includesSubentities: Bool
  package let includesPropertyValues: Bool
  package let returnsObjectsAsFaults: Bool
  package let returnsDistinctResults: Bool
  package let includesPendingChanges: Bool
}
