/// A store's options, read from the dictionary that they come in.
///
/// Sendable: made of a dictionary that nobody changes; its values are property-list objects.
package struct StoreOptions: @unchecked Sendable {
  private let dictionary: [AnyHashable: Any]

  package init(_ dictionary: [AnyHashable: Any]?) { self.dictionary = dictionary ?? [:] }

  package subscript(key: String) -> Any? { dictionary[key] }

  /// A switch; off when the option is missing or is neither a Bool nor a number.
  package func isOn(_ key: String) -> Bool {
    switch dictionary[key] {
    case let value as Bool: value
    case let value as NSNumber: value.boolValue
    case let value as String: (value as NSString).boolValue
    default: false
    }
  }

  /// What a comparison with nil means in a fetch.
  package var nilRule: NilRule {
    isOn(OpenCoreDataComparesNilAsInMemoryOption) ? .memory : .sql
  }

  package var isReadOnly: Bool { isOn(NSReadOnlyPersistentStoreOption) }
  package var ignoresVersioning: Bool { isOn(NSIgnorePersistentStoreVersioningOption) }
  package var migratesAutomatically: Bool {
    isOn(NSMigratePersistentStoresAutomaticallyOption)
  }
  package var infersMappingModel: Bool { isOn(NSInferMappingModelAutomaticallyOption) }

  /// How long an open store waits for a locked file when nothing was said, in seconds.
  package static let defaultTimeout: TimeInterval = 240

  /// How long to wait for a locked store, in seconds; nil when nothing was said.
  package var timeout: TimeInterval? {
    (dictionary[NSPersistentStoreTimeoutOption] as? NSNumber)?.doubleValue
  }

  /// How long the main queue waits for a locked store, in seconds; nil when nothing was said.
  package var mainQueueTimeout: TimeInterval? {
    (dictionary[OpenCoreDataMainQueueTimeoutOption] as? NSNumber)?.doubleValue
  }

  /// Pragmas in the order of their names, as texts.
  package var pragmas: [(name: String, value: String)] {
    guard let pragmas = dictionary[NSSQLitePragmasOption] as? [String: Any] else { return [] }
    return pragmas.map { (name: $0.key, value: "\($0.value)") }.sorted { $0.name < $1.name }
  }
}
