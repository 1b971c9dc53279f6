import Foundation

/// Describes one property of an entity: the common part of attributes, relationships, fetched
/// properties and expressions.
///
/// A description can be changed until a coordinator uses its model; a change after that traps. Only
/// `userInfo` can always be changed.
///
/// Source: developer.apple.com/documentation/coredata/nspropertydescription
///
/// Unchecked Sendable: only the builder of a model uses the description until the model is frozen.
/// From then on nothing changes but `userInfo`, which has a lock.
open class NSPropertyDescription: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  @Soft private var owner: NSEntityDescription?
  private let userInfoLock = NSLock()
  private var lockedUserInfo: [AnyHashable: Any]?

  /// The name, unique within the entity.
  open var name: String = "" { willSet { checkMutable() } }
  /// Whether an object can be saved without a value.
  open var isOptional: Bool = true { willSet { checkMutable() } }
  /// Whether the value is kept in memory only.
  open var isTransient: Bool = false { willSet { checkMutable() } }
  /// Text that is part of the version hash, to change the hash when nothing else of the property
  /// has changed.
  open var versionHashModifier: String? { willSet { checkMutable() } }
  /// The name of this property in an earlier version of the model; its own name if unset.
  open var renamingIdentifier: String? {
    get { storedRenamingIdentifier ?? (name.isEmpty ? nil : name) }
    set {
      checkMutable()
      storedRenamingIdentifier = newValue
    }
  }
  /// Whether the property is in the Spotlight index on Apple's systems; kept for the file, unused
  /// here.
  open var isIndexedBySpotlight: Bool = false { willSet { checkMutable() } }

  /// Predicates that a value must satisfy, evaluated with the value itself.
  open private(set) var validationPredicates: [NSPredicate] = []
  /// For each validation predicate, an error code (`NSNumber`) or a text (`String`).
  open private(set) var validationWarnings: [Any] = []

  package final var storedRenamingIdentifier: String?
  package final var storedIsIndexed = false { willSet { checkMutable() } }
  package final var storedInExternalRecord = false { willSet { checkMutable() } }

  /// Makes a property without a name.
  public override init() {}

  /// True: properties support secure coding.
  open class var supportsSecureCoding: Bool { true }

  /// Writes the property alone, with other entities and properties by name. A property that an
  /// archive of a model cannot represent fails the coder.
  open func encode(with coder: NSCoder) { DescriptionCoding.encode(self, with: coder) }

  /// Reads an archived property, which belongs to no entity. Returns nil, with the error in the
  /// coder, if the archive has no property of this class.
  public required convenience init?(coder: NSCoder) {
    self.init()
    guard let property = DescriptionCoding.property(like: makeEmptyCopy(), coder) else {
      return nil
    }
    property.copyContents(to: self)
  }

  /// The entity that declares the property.
  ///
  /// Traps for a property without an entity; Apple's declaration is not optional either.
  public final var entity: NSEntityDescription {
    guard let owner else {
      fatalError("The property “\(name)” belongs to no entity (or its entity is gone).")
    }
    return owner
  }

  /// The entity that declares the property; nil without one.
  package final var declaringEntity: NSEntityDescription? {
    get { owner }
    set { owner = newValue }
  }

  /// Custom data of the application. May be changed at any time, on any thread.
  open var userInfo: [AnyHashable: Any]? {
    get { userInfoLock.withLock { lockedUserInfo } ?? [:] }
    set { userInfoLock.withLock { lockedUserInfo = newValue } }
  }

  /// Sets the predicates that values must satisfy and, for each, an error code or text.
  open func setValidationPredicates(
    _ validationPredicates: [NSPredicate]?, withValidationWarnings validationWarnings: [Any]?
  ) {
    checkMutable()
    self.validationPredicates = validationPredicates ?? []
    self.validationWarnings = validationWarnings ?? []
  }

  /// The hash (32 bytes) of everything in the property that affects a store.
  open var versionHash: Data {
    VersionHash.property(versionHashBase)
  }

  /// Whether the store should index the property. Replaced by `NSEntityDescription.indexes`.
  @available(*, deprecated, message: "Use NSEntityDescription.indexes instead")
  open var isIndexed: Bool {
    get { storedIsIndexed }
    set { storedIsIndexed = newValue }
  }

  /// Whether the value is in an external Spotlight record; kept for the file, unused here.
  @available(*, deprecated, message: "Spotlight integration is deprecated")
  open var isStoredInExternalRecord: Bool {
    get { storedInExternalRecord }
    set { storedInExternalRecord = newValue }
  }

  /// Traps if the model is in use.
  package final func checkMutable() {
    owner?.checkMutable()
  }

  /// A copy that belongs to no entity.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = makeEmptyCopy()
    copyContents(to: copy)
    return copy
  }

  /// A new description of the same class, without content.
  package func makeEmptyCopy() -> NSPropertyDescription {
    NSPropertyDescription()
  }

  /// Copies everything except the entity.
  package func copyContents(to copy: NSPropertyDescription) {
    copy.name = name
    copy.isOptional = isOptional
    copy.isTransient = isTransient
    copy.versionHashModifier = versionHashModifier
    copy.storedRenamingIdentifier = storedRenamingIdentifier
    copy.isIndexedBySpotlight = isIndexedBySpotlight
    copy.storedIsIndexed = storedIsIndexed
    copy.storedInExternalRecord = storedInExternalRecord
    copy.userInfo = userInfo
    copy.setValidationPredicates(validationPredicates, withValidationWarnings: validationWarnings)
  }

  open override var hash: Int { name.hashValue }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSPropertyDescription else { return false }
    return self === other || (type(of: self) == type(of: other) && hasSameContents(as: other))
  }

  /// Returns whether everything except the entity is equal; `other` has the same class.
  package func hasSameContents(as other: NSPropertyDescription) -> Bool {
    name == other.name && isOptional == other.isOptional && isTransient == other.isTransient
      && versionHashModifier == other.versionHashModifier
      && renamingIdentifier == other.renamingIdentifier
      && storedIsIndexed == other.storedIsIndexed
      && isIndexedBySpotlight == other.isIndexedBySpotlight
      && ModelValue.areEqual(userInfo, other.userInfo)
      && validationPredicates.map(\.modelText) == other.validationPredicates.map(\.modelText)
      && ModelValue.areEqual(validationWarnings, other.validationWarnings)
  }

  open override var description: String {
    "<\(type(of: self)) \(declaringEntity?.name ?? "?").\(name)>"
  }
}
