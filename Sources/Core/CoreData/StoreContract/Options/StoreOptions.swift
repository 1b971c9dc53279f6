/// A store's options, read from their dictionary.
///
/// Sendable: the dictionary is never changed, and its values are immutable property-list objects.
package struct StoreOptions: @unchecked Sendable {
  private let dictionary: [AnyHashable: Any]

  package init(_ dictionary: [AnyHashable: Any]?) { self.dictionary = dictionary ?? [:] }

  package subscript(key: String) -> Any? { dictionary[key] }

  /// The value of a Bool option; false if it is missing or is no Bool, number or string.
  package func isOn(_ key: String) -> Bool {
    switch dictionary[key] {
    case let value as Bool: value
    case let value as NSNumber: value.boolValue
    case let value as String: (value as NSString).boolValue
    default: false
    }
  }

  /// The meaning of a comparison with nil in a fetch.
  package var nilRule: NilRule {
    isOn(OpenCoreDataComparesNilAsInMemoryOption) ? .memory : .sql
  }

  package var isReadOnly: Bool { isOn(NSReadOnlyPersistentStoreOption) }
  package var ignoresVersioning: Bool { isOn(NSIgnorePersistentStoreVersioningOption) }
  package var migratesAutomatically: Bool {
    isOn(NSMigratePersistentStoresAutomaticallyOption)
  }
  package var infersMappingModel: Bool { isOn(NSInferMappingModelAutomaticallyOption) }

  /// The seconds that an open store waits for a locked file by default.
  package static let defaultTimeout: TimeInterval = 240

  /// The seconds to wait for a locked store; nil if the option is missing.
  package var timeout: TimeInterval? {
    (dictionary[NSPersistentStoreTimeoutOption] as? NSNumber)?.doubleValue
  }

  /// The seconds that the main queue waits for a locked store; nil if the option is missing.
  package var mainQueueTimeout: TimeInterval? {
    (dictionary[OpenCoreDataMainQueueTimeoutOption] as? NSNumber)?.doubleValue
  }

  /// The pragmas in the order of their names, values as texts.
  package var pragmas: [(name: String, value: String)] {
    guard let pragmas = dictionary[NSSQLitePragmasOption] as? [String: Any] else { return [] }
    return pragmas.map { (name: $0.key, value: "\($0.value)") }.sorted { $0.name < $1.name }
  }
}
