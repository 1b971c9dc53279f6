import Synchronization

/// An object of a custom incremental store: its values and their version.
///
/// Values are listed by the names of properties: attributes as key-value coding returns them,
/// to-one relationships as object IDs, `NSNull` for nil. If a to-one relationship is missing, its
/// value comes from ``NSIncrementalStore/newValue(forRelationship:forObjectWith:with:)``, as those
/// of to-many relationships do.
///
/// Source: developer.apple.com/documentation/coredata/nsincrementalstorenode
///
/// Sendable: `state` is guarded by its lock; values are value-like objects.
open class NSIncrementalStoreNode: NSObject, @unchecked Sendable {
  private struct State: @unchecked Sendable {
    var values: [String: Any]
    var version: UInt64
  }

  private let identity: NSManagedObjectID
  private let state: Mutex<State>

  /// Makes a node with the values of an object, by the names of its properties, and their version.
  public init(
    objectID: NSManagedObjectID, withValues values: [String: Any], version: UInt64
  ) {
    identity = objectID
    state = Mutex(State(values: values, version: version))
  }

  /// Replaces the values and the version.
  open func update(withValues values: [String: Any], version: UInt64) {
    let new = State(values: values, version: version)
    state.withLock { $0 = new }
  }

  /// The ID of the node's object.
  open var objectID: NSManagedObjectID { identity }

  /// The version of the values, by which a save detects conflicts with other writers.
  open var version: UInt64 { state.withLock { $0 }.version }

  /// The value of a property; nil if the node does not have it, `NSNull` for a value of nil.
  open func value(for prop: NSPropertyDescription) -> Any? {
    state.withLock { $0 }.values[prop.name]
  }
}
