import Foundation

/// Describes the objects of an application: its entities, their grouping into configurations, and
/// fetch request templates.
///
/// A model can be changed until a coordinator uses it; a change after that traps with "Can't modify
/// an immutable model.". A copy can be changed again.
///
/// Source: developer.apple.com/documentation/coredata/nsmanagedobjectmodel
///
/// Unchecked Sendable: only the builder of a model uses it until it is frozen. From then on nothing
/// changes but the localization dictionary, which has a lock.
open class NSManagedObjectModel: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  private var storedEntities: [NSEntityDescription] = []
  private var frozenEntitiesByName: [String: NSEntityDescription]?
  private let lock = NSLock()
  private var lockedLocalization: [String: String]?

  /// The entity names of each configuration, in the order in which they were set.
  package final var configurationMembers: [(name: String, entityNames: [String])] = []
  package final var storedTemplates: [String: NSFetchRequest<NSFetchRequestResult>] = [:]
  /// Whether a coordinator uses the model, which then rejects changes.
  package final private(set) var isFrozen = false
  /// The values of `CDMCompilerToolVersion` and similar keys in the archive, kept for writing it
  /// again.
  package final var compilerVersions: [String: String] = [:]

  /// Makes a model without entities.
  public override init() {}

  /// True: models support secure coding.
  open class var supportsSecureCoding: Bool { true }

  private static let archiveKey = "OpenCoreData.model"

  /// Writes the model as in a `.mom` file. A model with descriptions that such a file cannot
  /// represent fails the coder.
  open func encode(with coder: NSCoder) {
    do { coder.encode(try archivedData() as NSData, forKey: Self.archiveKey) } catch {
      coder.failWithError(error)
    }
  }

  /// Reads an archived model. Returns nil, with the error in the coder, if the archive has no
  /// model.
  public required convenience init?(coder: NSCoder) {
    let data = coder.decodeObject(of: NSData.self, forKey: Self.archiveKey) as Data?
    do { try self.init(archivedData: data ?? Data()) } catch {
      coder.failWithError(error)
      return nil
    }
  }

  /// The developer's names for this version of the model; the store keeps them.
  open var versionIdentifiers: Set<AnyHashable> = [] { willSet { checkMutable() } }

  /// The entities. Setting them adds subentities that the array lacks.
  open var entities: [NSEntityDescription] {
    get { storedEntities }
    set {
      checkMutable()
      for entity in storedEntities where entity.owningModel === self { entity.attach(to: nil) }
      storedEntities = Self.withSubentities(newValue)
      for entity in storedEntities { entity.attach(to: self) }
      resolveReferences()
    }
  }

  /// The entities by name.
  open var entitiesByName: [String: NSEntityDescription] {
    frozenEntitiesByName
      ?? Dictionary(
        storedEntities.map { ($0.name ?? "", $0) }, uniquingKeysWith: { _, last in last })
  }

  /// Localized texts by keys such as "Entity/Item" and "Property/title/Entity/Item".
  open var localizationDictionary: [String: String]? {
    get { lock.withLock { lockedLocalization } }
    set { lock.withLock { lockedLocalization = newValue } }
  }

  private static func withSubentities(_ entities: [NSEntityDescription]) -> [NSEntityDescription] {
    var seen: Set<ObjectIdentifier> = []
    var complete: [NSEntityDescription] = []
    var waiting = Array(entities.reversed())
    while let entity = waiting.popLast() {
      guard seen.insert(ObjectIdentifier(entity)).inserted else { continue }
      complete.append(entity)
      waiting.insert(contentsOf: entity.subentities.reversed(), at: 0)
    }
    return complete
  }

  /// Resolves the names to which relationships and indexes refer.
  package final func resolveReferences() {
    for entity in storedEntities {
      for case let relationship as NSRelationshipDescription in entity.ownProperties {
        relationship.resolveDestination(in: self)
      }
      for index in entity.indexes { index.attach(to: entity) }
    }
  }

  /// Traps if a coordinator uses the model.
  package final func checkMutable() {
    if isFrozen { fatalError("Can't modify an immutable model.") }
  }

  /// Rejects changes from now on, so that the model can be shared between threads.
  ///
  /// Called by the coordinator before it uses the model; any number of times, on any thread.
  package final func freeze() {
    lock.withLock {
      guard !isFrozen else { return }
      resolveReferences()
      for entity in storedEntities where entity.superentity == nil { Self.freezeTree(entity) }
      for entity in storedEntities { entity.freeze() }
      frozenEntitiesByName = entitiesByName
      isFrozen = true
    }
  }

  private static func freezeTree(_ root: NSEntityDescription) {
    var waiting = [root]
    while let entity = waiting.popLast() {
      entity.freeze()
      waiting.append(contentsOf: entity.subentities.filter { !$0.isFrozen })
    }
  }

  open override var hash: Int { Set(storedEntities.map(\.name)).hashValue }

  /// Returns whether entities, configurations, templates, version identifiers and localizations are
  /// equal.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSManagedObjectModel else { return false }
    return self === other || hasSameContents(as: other)
  }
}

extension NSManagedObjectModel: Sequence {
  /// Iterates over the entities, as fast enumeration does on Apple's platforms.
  public final func makeIterator() -> IndexingIterator<[Any]> {
    let elements: [Any] = entities
    return elements.makeIterator()
  }
}
