/// What the application's store shows, as far as records do not say it.
protocol GraphReading {
  /// The value of an attribute of an object; nil if there is no such object.
  func value(of attribute: String, ofObject uri: String) -> SyncValue?
  /// The URIs of objects of an entity, or of its subentities, with these values of attributes.
  func objects(of entity: String, where values: [String: SyncValue]) -> [String]
}
