import KeyValueCoding

extension NSManagedObjectContext {
  /// What happens to the context's objects from now on: an array for each event, with one element for
  /// each object.
  ///
  ///     for await changes in context.objectChanges() { … }
  ///
  /// Call it on the context's queue; iterate anywhere. An event is what one ObjectsDidChange notification
  /// tells. The sequence keeps the context as little alive as its objects; it ends with the context, and
  /// observation ends when the sequence is no longer iterated or its task is cancelled.
  public final func objectChanges() -> AsyncStream<[ManagedObjectChange]> {
    assertConfined()
    let (stream, continuation) = AsyncStream.makeStream(of: [ManagedObjectChange].self)
    observe(until: continuation, ContextChangeObserver(continuation))
    return stream
  }

  /// The sequence holds the observer, the context knows it weakly: who lets go of the sequence ends the
  /// observation.
  fileprivate final func observe<Element>(
    until continuation: AsyncStream<Element>.Continuation,
    _ observer: some ContextObserver & Sendable
  ) {
    addObserver(observer)
    continuation.onTermination = { _ in withExtendedLifetime(observer) {} }
  }
}

extension NSManagedObject {
  /// What happens to this object from now on, as far as it concerns the properties named: all of them
  /// when none is.
  ///
  /// Call it on the context's queue; iterate anywhere. There is an element for each event of the context
  /// that changes one of the properties, deletes the object, brings it back or reads its values anew. The
  /// sequence follows the object by its ID and keeps it as little alive as its context. It ends when the
  /// context is reset or gone, at once for an object without a context.
  public final func changes(ofKeys keys: Set<String> = []) -> AsyncStream<ManagedObjectChange> {
    let (stream, continuation) = AsyncStream.makeStream(of: ManagedObjectChange.self)
    guard let context = managedObjectContext else {
      continuation.finish()
      return stream
    }
    context.assertConfined()
    context.observe(until: continuation, ObjectChangeObserver(objectID, keys, continuation))
    return stream
  }
}

/// Lets key paths of an object's own class be written where it is observed. Every managed object
/// conforms.
public protocol ObservableManagedObject: NSManagedObject, KeyPathObservable {}

extension NSManagedObject: ObservableManagedObject {}

extension ObservableManagedObject {
  /// What happens to this object from now on, as far as it concerns some of its modelled properties.
  ///
  ///     for await change in item.changes(of: \.title, \.order) { … }
  ///
  /// See ``NSManagedObject/changes(ofKeys:)``.
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

/// Hands a context's events to one sequence. On the context's queue, but for its end.
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

/// Hands what concerns one object to one sequence. On the context's queue, but for its end.
private final class ObjectChangeObserver: ContextObserver, Sendable {
  private let identity: NSManagedObjectID
  private let keys: Set<String>
  private let continuation: AsyncStream<ManagedObjectChange>.Continuation

  init(
    _ identity: NSManagedObjectID, _ keys: Set<String>,
    _ continuation: AsyncStream<ManagedObjectChange>.Continuation
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
