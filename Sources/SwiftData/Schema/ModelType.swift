import CoreData
import Foundation
import Synchronization

/// What is known of a model class without any store: its properties, by name and by key path.
///
/// One for each class, made when it is first asked for. Thread-safe.
final class ModelType: @unchecked Sendable {
  let type: any PersistentModel.Type
  let entityName: String
  /// Of the class that this one inherits from, if that is a model too.
  let base: ModelType?
  /// Inherited ones first, each class's own in declared order.
  let properties: [ModelProperty]
  let propertyCount: Int
  /// By the names of properties.
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
  // Key paths to inherited properties are told by an instance, which is made of what is known here.
  private let declaredConstraints: [[AnyKeyPath]]
  private let declaredIndexes: [(isSpatial: Bool, keyPaths: [AnyKeyPath])]
  private let byName: [String: ModelProperty]
  private let byKeyPath: [AnyKeyPath: ModelProperty]
  private let byAddress = PointerTable<ModelProperty>()
  /// Makes the managed objects of the class, and their faces.
  let factory: ManagedObjectFactory
  /// Called inside of ``FaceMaking``.
  let makeFace: (ManagedModelObject) -> AnyObject
  /// An instance of the class, or of one that inherits from it, as what it is.
  let asModel: (AnyObject) -> any PersistentModel
  private let detachedClass: DetachedState.Type
  private let madeInertData = Mutex<InertData>(InertData())

  // Sendable: nobody changes it.
  private struct InertData: @unchecked Sendable { var state: DetachedState? }

  /// See ``FaceMaking``.
  var inertData: DetachedState {
    madeInertData.withLock { made in
      if let state = made.state { return state }
      let state = detachedClass.init(self, isInert: true)
      made.state = state
      return state
    }
  }

  /// Of a new model.
  func makeDetachedData() -> DetachedState { detachedClass.init(self, isInert: false) }

  private static let all = PointerTable<ModelType>()

  static func of(_ type: any PersistentModel.Type) -> ModelType {
    let address = unsafeBitCast(type as any Any.Type, to: UnsafeRawPointer.self)
    // Outside of any lock: the defaults of a class may make models of others.
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
    // For good: objects do not count it.
    ownType.type = .passRetained(self)
  }

  /// What the factory makes objects of. Sendable: set once, before anybody knows the factory.
  private final class OwnType: @unchecked Sendable {
    var type: Unmanaged<ModelType>!
  }

  /// nil where one of them has none: what is unique, or sorted, by fewer properties is something else.
  private func names(_ keyPaths: [AnyKeyPath]) -> [String]? {
    let names = keyPaths.compactMap(name)
    return names.count == keyPaths.count ? names : nil
  }

  /// Of a property, or of the member of a structure, `size.width`.
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

  /// The property that a key path names, of this class or of one that it inherits from.
  func property(for keyPath: AnyKeyPath) -> ModelProperty? {
    let address = UnsafeRawPointer(Unmanaged.passUnretained(keyPath).toOpaque())
    if let property = byAddress[address] { return property }
    guard let property = byKeyPath[keyPath] ?? propertyReached(by: keyPath) else { return nil }
    return byAddress.add(property, at: address, keeping: keyPath)
  }

  private var ownProperties: ArraySlice<ModelProperty> {
    properties.dropFirst(base?.properties.count ?? 0)
  }

  func property(named name: String) -> ModelProperty? { byName[name] }

  /// Whether it is a class, or inherits from it.
  func isKind(of other: ModelType) -> Bool {
    self === other || base?.isKind(of: other) == true
  }

  /// A key path of a subclass names what is inherited by another key path than the class that declares it.
  private func propertyReached(by keyPath: AnyKeyPath) -> ModelProperty? {
    guard base != nil, let root = Swift.type(of: keyPath).rootType as? any PersistentModel.Type
    else { return nil }
    func inherited<M: PersistentModel>(_ type: M.Type) -> ModelProperty? {
      (keyPath as? PartialKeyPath<M>).flatMap(KeyPathProbe.property)
    }
    return inherited(root)
  }

  /// The property of a key path that a generated accessor names.
  @inline(__always)
  func known(_ keyPath: AnyKeyPath) -> ModelProperty {
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
  /// Throws for what `#Unique`, `#Index` or `@Attribute(.unique)` names and no store could keep to.
  func checkKeyPaths() throws {
    let declared = declaredConstraints + declaredIndexes.map(\.keyPaths)
    for keyPath in declared.joined() where name(keyPath) == nil {
      throw SwiftDataError(
        .unsupportedKeyPath,
        "#Unique or #Index of \(entityName) names \(keyPath), which no store keeps in a column: it is computed or "
          + "@Transient, or leads through a relationship or into a collection. Name a stored property, or a member of a "
          + "Codable structure")
    }
    for name in uniquenessConstraints.joined() where property(named: name)?.isOfManyColumns == true
    {
      throw SwiftDataError(
        .unsupportedKeyPath,
        "\(entityName).\(name) cannot be unique: its value is spread over several columns, most of which may be nil. Name "
          + "the members of the structure, \\.\(name).…, or give the enumeration raw values")
    }
  }
}

struct SchemaIndex: Hashable {
  let isSpatial: Bool
  let names: [String]
}

/// Elements by an address that never changes hands: read by every thread without a lock.
///
/// What is added stays for good.
final class PointerTable<Element: AnyObject & Sendable>: @unchecked Sendable {
  private final class Slots {
    let mask: Int
    let keys: UnsafeMutablePointer<UnsafeRawPointer?>
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
      elements[place] = Unmanaged.passRetained(element)
      keys[place] = key
    }
  }

  private struct Content {
    var entries: [(key: UnsafeRawPointer, element: Element)] = []
    /// What has to live for its address to stay its own.
    var owners: [AnyKeyPath] = []
  }

  private let lock = NSLock()
  private var known = Content()
  // Never freed: somebody may be reading it. Doubled each time, all that were come to no more than the last.
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

  /// Adds an element unless the key has one; the answer is the one that is there now. A key too many is not kept.
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
      published.store(
        UInt(bitPattern: Unmanaged.passRetained(slots).toOpaque()), ordering: .releasing)
      return element
    }
  }
}
