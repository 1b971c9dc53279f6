extension GraphContext {
  /// The URI of the same row under another name of its entity; nil for one of no row.
  static func uri(_ uri: String, ofEntity entity: String) -> String? {
    ObjectParts(uri).map { ObjectParts(store: $0.store, entity: entity, number: $0.number).uri }
  }

  /// A URI with the name that the server has for the entity: the same whatever the model calls it.
  func uriOfServer(_ uri: String) -> String {
    guard let name = ObjectParts(uri)?.entity, let entity = map.entity(named: name),
      entity.name != name
    else { return uri }
    return Self.uri(uri, ofEntity: entity.name) ?? uri
  }
}
