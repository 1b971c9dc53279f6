import Foundation

/// Describes an entity: the name, class, properties and hierarchy of its objects.
///
/// A description can be changed until a coordinator uses its model; a change after that traps with
/// "Can't modify an immutable model.".
///
/// Source: developer.apple.com/documentation/coredata/nsentitydescription
///
/// Unchecked Sendable: only the builder of a model uses the entity until the model is frozen. From
/// then on nothing changes but `userInfo` and the cached hash, which have a lock, and the layout,
/// which is set while the model is frozen.
open class NSEntityDescription: NSObject, NSCopying, NSSecureCoding, SoftlyReferenced,
  @unchecked Sendable
{
  private weak var model: NSManagedObjectModel?
  @Soft private var parent: NSEntityDescription?
  /// The reference by which properties, indexes and other entities refer to this entity.
  final let reference = SoftReference<NSEntityDescription>()
  private var children: [NSEntityDescription] = []
  private var storedClassName = "NSManagedObject"
  private var storedRenamingIdentifier: String?
  private let userInfoLock = NSLock()
  private var lockedUserInfo: [AnyHashable: Any]?
  private var frozenTables: EntityTables?
  // Guarded by `userInfoLock`. Cached because every opening of a store reads it.
  private var frozenHash: Data?

  /// The properties that the entity itself declares, in their order.
  package final private(set) var ownProperties: [NSPropertyDescription] = []
  /// The frozen `EntityLayout` of the entity's objects, made once by
  /// Objects/Layout/ModelLayouts.swift when a coordinator first uses the model. Untyped because the
  /// model does not depend on objects.
  @exclusivity(unchecked)
  package final var layoutStorage: AnyObject?
  /// Whether the entity is in use and rejects changes.
  package final private(set) var isFrozen = false

  package final var storedIndexes: [NSFetchIndexDescription] = []
  package final var storedUniquenessConstraints: [[Any]] = []
  package final var storedDisplayNameExpression: NSExpression?
  /// The code generation setting of the model file: "class", "category" or nil for none.
  package final var codeGenerationType: String?
  /// A `ManagedObjectFactory`, which stands above the model.
  package final var factoryStorage: (any Sendable)?

  /// Makes an entity without a name, properties or a model.
  public override init() {
    super.init()
    reference.point(to: self)
  }

  deinit { reference.clear() }

  /// True: entities support secure coding.
  open class var supportsSecureCoding: Bool { true }

  /// Writes the entity alone, with its own properties. Relatives are left out: archive the whole
  /// model to keep them. An entity that an archive of a model cannot represent fails the coder.
  open func encode(with coder: NSCoder) { DescriptionCoding.encode(self, with: coder) }

  /// Reads an archived entity, which belongs to no model. Returns nil, with the error in the coder,
  /// if the archive has no entity.
  public required convenience init?(coder: NSCoder) {
    self.init()
    guard let entity = DescriptionCoding.entity(coder) else { return nil }
    entity.copyContents(to: self)
  }

  /// The name, unique within the model.
  open var name: String? { willSet { checkMutable() } }
  /// Whether all objects belong to subentities; the entity itself has none.
  open var isAbstract = false { willSet { checkMutable() } }
  /// Text that is part of the version hash, to change the hash when nothing else of the entity has
  /// changed.
  open var versionHashModifier: String? { willSet { checkMutable() } }

  /// The name of the class of the entity's objects; `NSManagedObject` when unset.
  open var managedObjectClassName: String! {
    get { storedClassName }
    set {
      checkMutable()
      storedClassName = newValue ?? "NSManagedObject"
    }
  }

  /// The name of this entity in an earlier version of the model; its own name if unset.
  open var renamingIdentifier: String? {
    get { storedRenamingIdentifier ?? name }
    set {
      checkMutable()
      storedRenamingIdentifier = newValue
    }
  }

  /// Custom data of the application. May be changed at any time, on any thread.
  open var userInfo: [AnyHashable: Any]? {
    get { userInfoLock.withLock { lockedUserInfo } ?? [:] }
    set { userInfoLock.withLock { lockedUserInfo = newValue } }
  }

  /// The model that the entity belongs to.
  ///
  /// Traps for an entity without a model; Apple's declaration is not optional either.
  public final var managedObjectModel: NSManagedObjectModel {
    guard let model else {
      fatalError("The entity “\(name ?? "")” belongs to no model (or its model is gone).")
    }
    return model
  }

  /// The model that the entity belongs to; nil without one.
  package final var owningModel: NSManagedObjectModel? { model }

  /// The entity that this one inherits from.
  public final var superentity: NSEntityDescription? { parent }

  /// The entities that inherit directly from this one.
  open var subentities: [NSEntityDescription] {
    get { children }
    set {
      checkMutable()
      for child in children where child.parent === self { child.parent = nil }
      children = newValue
      for child in children { child.parent = self }
    }
  }

  /// The properties, inherited ones first.
  ///
  /// Setting them sets the own properties of the entity; inherited ones in the array are ignored.
  open var properties: [NSPropertyDescription] {
    get { tables.properties }
    set {
      checkMutable()
      let inherited = Set((parent?.properties ?? []).map(ObjectIdentifier.init))
      for property in ownProperties where property.declaringEntity === self {
        property.declaringEntity = nil
      }
      ownProperties = newValue.filter { !inherited.contains(ObjectIdentifier($0)) }
      for property in ownProperties { property.declaringEntity = self }
    }
  }

  /// The tables of properties: cached when frozen, recomputed while the entity can still change.
  package final var tables: EntityTables {
    frozenTables ?? EntityTables(inherited: parent?.properties ?? [], own: ownProperties)
  }

  /// The hash (32 bytes) of everything in the entity that affects a store.
  open var versionHash: Data {
    guard isFrozen else { return computedVersionHash() }
    if let frozenHash = userInfoLock.withLock({ frozenHash }) { return frozenHash }
    let hash = computedVersionHash()
    userInfoLock.withLock { frozenHash = hash }
    return hash
  }

  /// Traps if the model is in use.
  package final func checkMutable() {
    if isFrozen { fatalError("Can't modify an immutable model.") }
  }

  /// Makes the entity part of a model. Called by the model.
  package final func attach(to model: NSManagedObjectModel?) {
    checkMutable()
    self.model = model
  }

  /// Rejects changes from now on. Called by the model, for superentities first.
  package final func freeze() {
    guard !isFrozen else { return }
    frozenTables = tables
    isFrozen = true
  }

  /// A copy without a model and without relatives, with copies of the own properties.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSEntityDescription()
    copyContents(to: copy)
    return copy
  }

  private func copyContents(to copy: NSEntityDescription) {
    copy.name = name
    copy.storedClassName = storedClassName
    copy.isAbstract = isAbstract
    copy.versionHashModifier = versionHashModifier
    copy.storedRenamingIdentifier = storedRenamingIdentifier
    copy.userInfo = userInfo
    copy.codeGenerationType = codeGenerationType
    copy.factoryStorage = factoryStorage
    copy.properties = ownProperties.compactMap { $0.copy() as? NSPropertyDescription }
    copyIndexes(to: copy)
  }

  open override var hash: Int { name.hashValue }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSEntityDescription else { return false }
    return self === other || hasSameContents(as: other)
  }

  open override var description: String {
    "<\(type(of: self)) \(name ?? "?")>"
  }
}
