import CoreData
import Foundation
import Synchronization

/// The properties of a model class, by name and by key path, independent of any store.
///
/// One instance per class, made on first use and kept forever.
///
/// Sendable: constants only, except for tables and caches that lock on their own.
final class ModelType: @unchecked Sendable {
  let type: any PersistentModel.Type
  let entityName: String
  /// The superclass, if it is a model class too.
  let base: ModelType?
  /// Inherited properties first, each class's own in declared order.
  let properties: [ModelProperty]
  let propertyCount: Int
  /// Sets of unique properties, by name.
  var uniquenessConstraints: [[String]] {
    let singles = ownProperties.filter(\.isUnique).map { [$0.name] }
    let several = declaredConstraints.compactMap(names)
    return singles + several.filter { !singles.contains($0) && !$0.isEmpty }
  }
  var indexes: [SchemaIndex] {
    declaredIndexes.compactMap { index in
      names(index.keyPaths).map { SchemaIndex(isSpatial: index.isSpatial, names: $0) }
    }
    .filter { !$0.names.isEmpty }
  }
  // Key paths, resolved on demand: a key path to an inherited property is resolved by an instance,
  // which needs this ModelType.
  private let declaredConstraints: [[AnyKeyPath]]
  private let declaredIndexes: [(isSpatial: Bool, keyPaths: [AnyKeyPath])]
  private let byName: [String: ModelProperty]
  private let byKeyPath: [AnyKeyPath: ModelProperty]
  private let byAddress = PointerTable<ModelProperty>()
  /// Makes the managed objects of the class and their faces.
  let factory: ManagedObjectFactory
  /// Makes a face for a managed object. Call it inside of ``FaceMaking``.
  let makeFace: (ManagedModelObject) -> AnyObject
  /// Casts an instance of the class or of a subclass to a model.
  let asModel: (AnyObject) -> any PersistentModel
  private let detachedClass: DetachedState.Type
  private let madeInertData = Mutex<InertData>(InertData())

  // Sendable: the inert state ignores writes, so it never changes.
  private struct InertData: @unchecked Sendable { var state: DetachedState? }

  /// The backing data that ignore initial values; see ``FaceMaking``.
  var inertData: DetachedState {
    madeInertData.withLock { made in
      if let state = made.state { return state }
      let state = detachedClass.init(self, isInert: true)
      made.state = state
      return state
    }
  }

  /// Makes the backing data of a new model.
  func makeDetachedData() -> DetachedState { detachedClass.init(self, isInert: false) }

  private static let all = PointerTable<ModelType>()

  static func of(_ type: any PersistentModel.Type) -> ModelType {
    // Sound: an `any Any.Type` is one pointer, to the type's metadata, which is unique.
    let address = unsafeBitCast(type as any Any.Type, to: UnsafeRawPointer.self)
    // Not under a lock: the default values of a class may make models of other classes.
    return all[address] ?? all.add(make(type), at: address)
  }

  private static func make<M: PersistentModel>(_ type: M.Type) -> ModelType { ModelType(type) }

  private init<M: PersistentModel>(_ type: M.Type) {
    self.type = type
    entityName = Schema.entityName(for: type)
    let base = (_getSuperclass(type) as? any PersistentModel.Type).map(ModelType.of)
    self.base = base
    let declared = type.schemaMetadata
    let inherited = base?.properties ?? []
    let inheritedNames = Set(inherited.map(\.name))
    var own: [ModelProperty] = []
    var constraints: [[AnyKeyPath]] = []
    var indexes: [(isSpatial: Bool, keyPaths: [AnyKeyPath])] = []
    for metadata in declared {
      if let unique = metadata.metadata as? any UniquenessMetadata {
        constraints += unique.keyPaths
      } else if let index = metadata.metadata as? any IndexMetadata {
        indexes += index.declared
      } else if !inheritedNames.contains(metadata.name) {
        own.append(ModelProperty(metadata, index: inherited.count + own.count, of: type))
      }
    }
    let properties = inherited + own
    self.properties = properties
    propertyCount = properties.count
    byName = Dictionary(properties.map { ($0.name, $0) }) { $1 }
    byKeyPath = Dictionary(properties.map { ($0.keyPath, $0) }) { $1 }
    makeFace = { M(_$content: $0._content) }
    asModel = { unsafeDowncast($0, to: type) }
    detachedClass = DetachedBackingData<M>.self
    let objectClass: ManagedModelObject.Type = ManagedModel<M>.self
    let ownType = OwnType()
    factory = ManagedObjectFactory(objectClass) { entity, context in
      ownType.type._withUnsafeGuaranteedRef { objectClass.init(entity, context, $0) }
    }
    declaredConstraints = constraints
    declaredIndexes = indexes
    // Retained forever: managed objects refer to it unretained.
    ownType.type = .passRetained(self)
  }

  /// The ModelType that the factory makes objects of. Sendable: set once, before the factory is
  /// published.
  private final class OwnType: @unchecked Sendable {
    var type: Unmanaged<ModelType>!
  }

  /// The names of key paths; nil if one of them has no name, since fewer properties would make
  /// another constraint or index.
  private func names(_ keyPaths: [AnyKeyPath]) -> [String]? {
    let names = keyPaths.compactMap(name)
    return names.count == keyPaths.count ? names : nil
  }

  /// The name of a property, or the path of a structure's member such as `size.width`.
  private func name(_ keyPath: AnyKeyPath) -> String? {
    if let property = property(for: keyPath) { return property.name }
    func member<M: PersistentModel>(_ type: M.Type) -> String? {
      guard let path = (keyPath as? PartialKeyPath<M>).flatMap(KeyPathProbe.path),
        let first = path.split(separator: ".").first.map(String.init),
        property(named: first)?.isRelationship == false
      else { return nil }
      return path
    }
    guard let root = Swift.type(of: keyPath).rootType as? any PersistentModel.Type else {
      return nil
    }
    return member(root)
  }

  /// The property for a key path, declared by this class or inherited.
  func property(for keyPath: AnyKeyPath) -> ModelProperty? {
    // Sound: only the address is used. The table keeps the key path, so the address is not reused.
    let address = UnsafeRawPointer(Unmanaged.passUnretained(keyPath).toOpaque())
    if let property = byAddress[address] { return property }
    guard let property = byKeyPath[keyPath] ?? propertyReached(by: keyPath) else { return nil }
    return byAddress.add(property, at: address, keeping: keyPath)
  }

  private var ownProperties: ArraySlice<ModelProperty> {
    properties.dropFirst(base?.properties.count ?? 0)
  }

  func property(named name: String) -> ModelProperty? { byName[name] }

  /// Returns whether the class is `other` or a subclass of it.
  func isKind(of other: ModelType) -> Bool {
    self === other || base?.isKind(of: other) == true
  }

  /// The inherited property for a key path of a subclass, which is not equal to the key path of the
  /// declaring class.
  private func propertyReached(by keyPath: AnyKeyPath) -> ModelProperty? {
    guard base != nil, let root = Swift.type(of: keyPath).rootType as? any PersistentModel.Type
    else { return nil }
    func inherited<M: PersistentModel>(_ type: M.Type) -> ModelProperty? {
      (keyPath as? PartialKeyPath<M>).flatMap(KeyPathProbe.property)
    }
    return inherited(root)
  }

  /// The property for a key path from a generated accessor. Traps if there is none.
  @inline(__always)
  func known(_ keyPath: AnyKeyPath) -> ModelProperty {
    // Sound: only the address is used, while the caller holds the key path.
    let address = UnsafeRawPointer(Unmanaged.passUnretained(keyPath).toOpaque())
    return byAddress[address] ?? lookUp(keyPath)
  }

  @inline(never)
  private func lookUp(_ keyPath: AnyKeyPath) -> ModelProperty {
    if let property = property(for: keyPath) { return property }
    fatalError(
      "\(keyPath) is no persistent property of the model \(type). Its schemaMetadata names: "
        + properties.map(\.name).joined(separator: ", "))
  }
}

extension ModelType {
  /// Throws ``SwiftDataError/unsupportedKeyPath`` for a key path in `#Unique`, `#Index` or
  /// `@Attribute(.unique)` that no store can enforce.
  func checkKeyPaths() throws {
    let declared = declaredConstraints + declaredIndexes.map(\.keyPaths)
    for keyPath in declared.joined() where name(keyPath) == nil {
      throw SwiftDataError(
        .unsupportedKeyPath,
        explanation:
          "#Unique or #Index of \(entityName) names \(keyPath), which no store keeps in a column: it is computed or "
          + "@Transient, or leads through a relationship or into a collection. Name a stored property, or a member of a "
          + "Codable structure")
    }
    for name in uniquenessConstraints.joined() where property(named: name)?.isOfManyColumns == true
    {
      throw SwiftDataError(
        .unsupportedKeyPath,
        explanation:
          "\(entityName).\(name) cannot be unique: its value is spread over several columns, most of which may be nil. Name "
          + "the members of the structure, \\.\(name).…, or give the enumeration raw values")
    }
  }
}

struct SchemaIndex: Hashable {
  let isSpatial: Bool
  let names: [String]
}

/// Hash table of elements by address, which threads read without a lock.
///
/// Elements and addresses are kept forever.
///
/// Sendable: writers hold `lock`; readers see an immutable table through the atomic `published`.
final class PointerTable<Element: AnyObject & Sendable>: @unchecked Sendable {
  private final class Slots {
    let mask: Int
    let keys: UnsafeMutablePointer<UnsafeRawPointer?>
    /// Retained: each table keeps its elements.
    let elements: UnsafeMutablePointer<Unmanaged<Element>?>

    init(capacity: Int) {
      mask = capacity - 1
      keys = .allocate(capacity: capacity)
      keys.initialize(repeating: nil, count: capacity)
      elements = .allocate(capacity: capacity)
      elements.initialize(repeating: nil, count: capacity)
    }

    func put(_ element: Element, at key: UnsafeRawPointer) {
      var place = PointerTable.place(of: key) & mask
      while keys[place] != nil { place = (place + 1) & mask }
      // Retained forever, as the table is: readers hold no reference to either.
      elements[place] = Unmanaged.passRetained(element)
      keys[place] = key
    }
  }

  private struct Content {
    var entries: [(key: UnsafeRawPointer, element: Element)] = []
    /// Key paths retained so that their addresses are not reused.
    var owners: [AnyKeyPath] = []
  }

  private let lock = NSLock()
  private var known = Content()
  // The current table. Old tables are never freed, as another thread may still read them; since
  // each is twice as large as the last, all old ones together are no larger than the current one.
  private let published = Atomic<UInt>(0)
  private static var limit: Int { 4096 }

  private static func place(of key: UnsafeRawPointer) -> Int {
    let bits = UInt(bitPattern: key)
    return Int(truncatingIfNeeded: (bits >> 3) ^ (bits >> 11))
  }

  subscript(key: UnsafeRawPointer) -> Element? {
    @inline(__always)
    get {
      guard
        let pointer = UnsafeRawPointer(bitPattern: published.load(ordering: .acquiring))
      else { return nil }
      // Sound: a published table is never released.
      return Unmanaged<Slots>.fromOpaque(pointer)._withUnsafeGuaranteedRef { slots in
        var place = Self.place(of: key) & slots.mask
        while let found = slots.keys[place] {
          if found == key { return slots.elements[place]?.takeUnretainedValue() }
          place = (place + 1) & slots.mask
        }
        return nil
      }
    }
  }

  /// Adds an element unless the key has one, and returns the element that the key has afterwards.
  /// Beyond 4096 keys, elements are returned but not kept.
  func add(_ element: Element, at key: UnsafeRawPointer, keeping owner: AnyKeyPath? = nil)
    -> Element
  {
    lock.withLock {
      if let entry = known.entries.first(where: { $0.key == key }) { return entry.element }
      guard known.entries.count < Self.limit else { return element }
      known.entries.append((key, element))
      if let owner { known.owners.append(owner) }
      var capacity = 8
      while capacity < known.entries.count * 2 { capacity *= 2 }
      let slots = Slots(capacity: capacity)
      for entry in known.entries { slots.put(entry.element, at: entry.key) }
      // Retained forever: a reader may still use the table when the next one is published.
      published.store(
        UInt(bitPattern: Unmanaged.passRetained(slots).toOpaque()), ordering: .releasing)
      return element
    }
  }
}
