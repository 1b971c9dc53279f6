import Synchronization

/// What an incremental store of one's own says of one object: its values and their version.
///
/// The values are by the names of properties: attributes as key-value coding gives them, to-one
/// relationships as object IDs, `NSNull` for nil. A to-one relationship that is missing is asked for with
/// ``NSIncrementalStore/newValue(forRelationship:forObjectWith:with:)``, as to-many relationships are.
///
/// Source: developer.apple.com/documentation/coredata/nsincrementalstorenode
///
/// Sendable: guarded by its lock; values are value-like objects.
open class NSIncrementalStoreNode: NSObject, @unchecked Sendable {
  private struct State: @unchecked Sendable {
    var values: [String: Any]
    var version: UInt64
  }

  private let identity: NSManagedObjectID
  private let state: Mutex<State>

  public init(
    objectID: NSManagedObjectID, withValues values: [String: Any], version: UInt64
  ) {
    identity = objectID
    state = Mutex(State(values: values, version: version))
  }

  /// Replaces values and version.
  open func update(withValues values: [String: Any], version: UInt64) {
    let new = State(values: values, version: version)
    state.withLock { $0 = new }
  }

  /// The object that the node is of.
  open var objectID: NSManagedObjectID { identity }

  /// Counts the changes of the object: another version is what a save conflicts with.
  open var version: UInt64 { state.withLock { $0 }.version }

  /// The value of a property; nil when the node does not have it, `NSNull` for nil.
  open func value(for prop: NSPropertyDescription) -> Any? {
    state.withLock { $0 }.values[prop.name]
  }
}
