/// The object IDs of a fetch, each made when its position is accessed.
///
/// Only 64 bits per object are held: of a million IDs, a list needs the few dozen that it shows.
/// While an ID is alive, accessing its position again gives the same instance. The selection of
/// objects and their order are those of the time of the fetch. May be passed between threads, as
/// object IDs may.
///
/// Made by `fetchLazily(_:)` of a context, for a request of object IDs.
public struct LazyObjectIDs: RandomAccessCollection, Sendable {
  private let identities: ContiguousArray<PackedIdentity>
  private let namespace: IdentityNamespace
  /// The IDs of objects that were unsaved at the time of the fetch.
  private let temporary: [PackedIdentity: NSManagedObjectID]

  init(_ identities: ContiguousArray<PackedIdentity>, in context: NSManagedObjectContext) {
    let namespace = IdentityNamespace(of: context)
    self.namespace = namespace
    // Identities of a store that was removed during the fetch are left out.
    let isWhole = identities.allSatisfy(namespace.has)
    self.identities = isWhole ? identities : identities.filter(namespace.has)
    let isTemporary = identities.contains(where: \.isTemporary)
    let unsaved = isTemporary ? identities.filter(\.isTemporary) : []
    temporary = Dictionary(
      uniqueKeysWithValues: unsaved.map { ($0, namespace.identity($0)) })
  }

  public var startIndex: Int { 0 }
  public var endIndex: Int { identities.count }

  public subscript(position: Int) -> NSManagedObjectID {
    let packed = identities[position]
    if packed.isTemporary, let known = temporary[packed] { return known }
    return namespace.identity(packed)
  }

  /// All IDs, those of one store made together.
  var all: [NSManagedObjectID] {
    var result: [NSManagedObjectID] = []
    var rest = identities[...]
    while let first = rest.first {
      if let known = temporary[first] {
        result.append(known)
        rest = rest.dropFirst()
        continue
      }
      let run = rest.prefix { $0.storeOrdinal == first.storeOrdinal && !$0.isTemporary }
      if run.count == identities.count { return namespace.identities(run) }
      result += namespace.identities(run)
      rest = rest[run.endIndex...]
    }
    return result
  }
}

extension NSManagedObjectContext {
  /// Fetches object IDs lazily, each made when its position is accessed. The request's result type
  /// must be `managedObjectIDResultType`.
  ///
  /// - Throws: the errors of `fetch(_:)`, and 134060 for a request of another result type.
  public func fetchLazily(_ request: NSFetchRequest<NSManagedObjectID>) throws -> LazyObjectIDs {
    guard request.resultType == .managedObjectIDResultType else {
      throw CoreDataError.make(
        .coreData,
        reason: "A lazy fetch of object IDs needs a request whose resultType is "
          + "managedObjectIDResultType.")
    }
    return LazyObjectIDs(try fetchIdentities(request), in: self)
  }
}
