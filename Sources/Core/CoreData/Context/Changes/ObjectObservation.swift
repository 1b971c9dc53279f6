import KeyValueCoding

extension NSManagedObjectContext {
  /// The changes of the context's objects from now on, as an asynchronous sequence: an array per
  /// event, with one element per object.
  ///
  ///     for await changes in context.objectChanges() { … }
  ///
  /// Call it on the context's queue; iterate anywhere. An event is the content of one
  /// ObjectsDidChange notification. The sequence retains neither the context nor its objects; it
  /// ends with the context. Observation ends when the sequence is no longer iterated or its task is
  /// cancelled.
  public final func objectChanges() -> AsyncStream<[ManagedObjectChange]> {
    assertConfined()
    let (stream, continuation) = AsyncStream.makeStream(of: [ManagedObjectChange].self)
    observe(until: continuation, ContextChangeObserver(continuation))
    return stream
  }

  /// Adds an observer that the sequence retains and the context references weakly: releasing the
  /// sequence ends the observation.
  fileprivate final func observe<Element>(
    until continuation: AsyncStream<Element>.Continuation,
    _ observer: some ContextObserver & Sendable
  ) {
    addObserver(observer)
    continuation.onTermination = { _ in withExtendedLifetime(observer) {} }
  }
}

extension NSManagedObject {
  /// The changes of this object from now on, as an asynchronous sequence, limited to the properties
  /// `keys`; all properties if `keys` is empty.
  ///
  /// Call it on the context's queue; iterate anywhere. There is an element for each event of the
  /// context that changes one of the properties, deletes the object, brings it back or reads its
  /// values again. The sequence follows the object by its ID and retains neither it nor its
  /// context. It ends when the context is reset or freed, at once for an object without a context.
  public final func changes(ofKeys keys: Set<String> = []) -> AsyncStream<ManagedObjectChange> {
    let (stream, continuation) = AsyncStream.makeStream(of: ManagedObjectChange.self)
    guard let context = managedObjectContext else {
      continuation.finish()
      return stream
    }
    context.assertConfined()
    context.observe(
      until: continuation, ObjectChangeObserver(objectID, keys: keys, continuation: continuation))
    return stream
  }
}

extension ObservableManagedObject {
  /// The changes of this object from now on, as an asynchronous sequence, limited to some of its
  /// modelled properties.
  ///
  ///     for await change in item.changes(of: \.title, \.order) { … }
  ///
  /// See ``NSManagedObject/changes(ofKeys:)``. Traps for a key path that is no property of the
  /// model.
  public func changes(
    of property: PartialKeyPath<Self>, _ others: PartialKeyPath<Self>...
  ) -> AsyncStream<ManagedObjectChange> {
    changes(ofKeys: Set(([property] + others).map(Self.key)))
  }

  static func key(_ keyPath: PartialKeyPath<Self>) -> String {
    guard let key = KeyPathName.name(of: keyPath) else {
      fatalError("\(keyPath) names no property of the model that \(Self.self) is of")
    }
    return key
  }
}

/// Passes a context's events to one sequence. Called on the context's queue, except for its end.
private final class ContextChangeObserver: ContextObserver, Sendable {
  private let continuation: AsyncStream<[ManagedObjectChange]>.Continuation

  init(_ continuation: AsyncStream<[ManagedObjectChange]>.Continuation) {
    self.continuation = continuation
  }

  func contextDidProcess(_ changes: ContextChanges) {
    let all = changes.all
    if !all.isEmpty { continuation.yield(all) }
  }

  func contextDidAssignPermanentIDs(_ assigned: [AssignedIdentity]) {}

  func contextDidReset(_ identities: [NSManagedObjectID]) {
    continuation.yield(
      identities.map { ManagedObjectChange(kind: .invalidated, objectID: $0, keys: []) })
  }

  func contextIsGone() { continuation.finish() }
}

/// Passes the changes of one object to one sequence. Called on the context's queue, except for its
/// end.
private final class ObjectChangeObserver: ContextObserver, Sendable {
  private let identity: NSManagedObjectID
  private let keys: Set<String>
  private let continuation: AsyncStream<ManagedObjectChange>.Continuation

  init(
    _ identity: NSManagedObjectID, keys: Set<String>,
    continuation: AsyncStream<ManagedObjectChange>.Continuation
  ) {
    self.identity = identity
    self.keys = keys
    self.continuation = continuation
  }

  func contextDidProcess(_ changes: ContextChanges) {
    guard let change = changes.change(of: identity.resolved) else { return }
    let isWanted = keys.isEmpty || change.keys.isEmpty || !keys.isDisjoint(with: change.keys)
    if isWanted { continuation.yield(change) }
  }

  func contextDidAssignPermanentIDs(_ assigned: [AssignedIdentity]) {}

  func contextDidReset(_ identities: [NSManagedObjectID]) {
    continuation.yield(
      ManagedObjectChange(kind: .invalidated, objectID: identity.resolved, keys: []))
    continuation.finish()
  }

  func contextIsGone() { continuation.finish() }
}
