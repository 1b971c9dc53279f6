/// The object IDs of a fetch, each made when its position is asked for.
///
/// Knows 64 bits of every object and nothing else: of a million IDs, a list needs the few dozen that it
/// shows. Asking twice for a position while somebody has its ID gives the same instance. Which objects
/// these are, and their order, is settled by the fetch. May be passed between threads, as object IDs may.
///
/// Made by `fetchLazily(_:)` of a context, for a request of object IDs.
public struct LazyObjectIDs: RandomAccessCollection, Sendable {
  private let identities: ContiguousArray<PackedIdentity>
  private let namespace: IdentityNamespace
  /// The IDs of the objects among them that were never saved.
  private let temporary: [PackedIdentity: NSManagedObjectID]

  init(_ identities: ContiguousArray<PackedIdentity>, in context: NSManagedObjectContext) {
    let namespace = IdentityNamespace(of: context)
    self.namespace = namespace
    // A store that is removed while the fetch runs has nothing by its end.
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

  /// All of them, those of a store at once.
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
  /// The IDs that a request describes, made one by one as they are looked at. The request's result type
  /// is `managedObjectIDResultType`.
  ///
  /// - Throws: what ``fetch(_:)`` throws, and an error for a request of another result type.
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
