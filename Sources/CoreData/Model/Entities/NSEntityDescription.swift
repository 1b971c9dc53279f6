import Foundation

/// Describes an entity: the name, class, properties and place in the hierarchy of its objects.
///
/// A description can be changed until its model is used by a coordinator; a change after that traps
/// with "Can't modify an immutable model.". Source:
/// developer.apple.com/documentation/coredata/nsentitydescription
///
/// Sendable: an entity belongs to whoever builds it until its model is frozen; from then on nothing
/// can change but `userInfo`, which has a lock, and the layout, which is set while freezing.
open class NSEntityDescription: NSObject, NSCopying, NSSecureCoding, SoftlyReferenced,
  @unchecked Sendable
{
  private weak var model: NSManagedObjectModel?
  @Soft private var parent: NSEntityDescription?
  /// What properties, indexes and other entities know this entity by.
  final let reference = SoftReference<NSEntityDescription>()
  private var children: [NSEntityDescription] = []
  private var storedClassName = "NSManagedObject"
  private var storedRenamingIdentifier: String?
  private let userInfoLock = NSLock()
  private var lockedUserInfo: [AnyHashable: Any]?
  private var frozenTables: EntityTables?
  // Under `userInfoLock`; every store that is opened asks for it.
  private var frozenHash: Data?

  /// The properties that the entity itself declares, in their order.
  package final private(set) var ownProperties: [NSPropertyDescription] = []
  /// The frozen `EntityLayout` of the entity's objects, made once by Objects/Layout/EntityLayout.swift
  /// when a coordinator takes the model; untyped because the model knows nothing of objects.
  @exclusivity(unchecked)
  package final var layoutStorage: AnyObject?
  /// Whether the entity is in use and refuses changes.
  package final private(set) var isFrozen = false

  package final var storedIndexes: [NSFetchIndexDescription] = []
  package final var storedUniquenessConstraints: [[Any]] = []
  package final var storedDisplayNameExpression: NSExpression?
  /// What the model file says of generated classes: "class", "category" or nil for none.
  package final var codeGenerationType: String?
  /// What makes the objects where no class name does; part of no file.
  package final var objectFactory: ManagedObjectFactory?

  public override init() {
    super.init()
    reference.point(to: self)
  }

  deinit { reference.clear() }

  open class var supportsSecureCoding: Bool { true }

  /// Writes the entity alone, with its own properties: relatives stay with the model, which can be archived
  /// whole. An entity that an archive of a model cannot hold fails the coder.
  open func encode(with coder: NSCoder) { DescriptionCoding.encode(self, with: coder) }

  /// Reads an archived entity, which belongs to no model; nil, with the reason in the coder, for what is
  /// none.
  public required convenience init?(coder: NSCoder) {
    self.init()
    guard let entity = DescriptionCoding.entity(coder) else { return nil }
    entity.copyContents(to: self)
  }

  /// The name, unique within the model.
  open var name: String? { willSet { checkMutable() } }
  /// Whether there are only objects of subentities.
  open var isAbstract = false { willSet { checkMutable() } }
  /// Text that changes the version hash where nothing else does.
  open var versionHashModifier: String? { willSet { checkMutable() } }

  /// The name of the class of the entity's objects; `NSManagedObject` when unset.
  open var managedObjectClassName: String! {
    get { storedClassName }
    set {
      checkMutable()
      storedClassName = newValue ?? "NSManagedObject"
    }
  }

  /// The name that this entity had in an earlier version of the model; its own name when unset.
  open var renamingIdentifier: String? {
    get { storedRenamingIdentifier ?? name }
    set {
      checkMutable()
      storedRenamingIdentifier = newValue
    }
  }

  /// Anything that the application wants to attach; may be changed at any time, on any thread.
  open var userInfo: [AnyHashable: Any]? {
    get { userInfoLock.withLock { lockedUserInfo } ?? [:] }
    set { userInfoLock.withLock { lockedUserInfo = newValue } }
  }

  /// The model that the entity belongs to.
  ///
  /// Traps for an entity that is in no model, where Apple's declaration has no nil either.
  public final var managedObjectModel: NSManagedObjectModel {
    guard let model else {
      fatalError("The entity “\(name ?? "")” belongs to no model (or its model is gone).")
    }
    return model
  }

  /// The model that the entity belongs to, nil outside of one.
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

  /// The properties, the inherited ones first.
  ///
  /// Setting them sets those that the entity itself declares; inherited ones in the array are left
  /// out.
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

  /// The tables of properties: kept when frozen, made anew while the entity can still change.
  package final var tables: EntityTables {
    frozenTables ?? EntityTables(inherited: parent?.properties ?? [], own: ownProperties)
  }

  /// The hash (32 bytes) of what a store has to know of the entity.
  open var versionHash: Data {
    guard isFrozen else { return computedVersionHash() }
    if let frozenHash = userInfoLock.withLock({ frozenHash }) { return frozenHash }
    let hash = computedVersionHash()
    userInfoLock.withLock { frozenHash = hash }
    return hash
  }

  /// Traps when the model is in use.
  package final func checkMutable() {
    if isFrozen { fatalError("Can't modify an immutable model.") }
  }

  /// Makes the entity part of a model, which calls this.
  package final func attach(to model: NSManagedObjectModel?) {
    checkMutable()
    self.model = model
  }

  /// Refuses changes from now on. The model calls this, superentities first.
  package final func freeze() {
    guard !isFrozen else { return }
    frozenTables = tables
    isFrozen = true
  }

  /// A copy outside of any model, with copies of the entity's own properties and without relatives.
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
    copy.objectFactory = objectFactory
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
