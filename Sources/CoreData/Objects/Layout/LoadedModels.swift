import Synchronization

/// The models in use, to find the entity of a class without a context: `Item.entity()`,
/// `\Item.title`. A model enters when its layouts are made. Thread-safe: guarded by its lock.
package enum LoadedModels {
  private final class Reference: @unchecked Sendable {
    // Written once; a weak reference reads atomically.
    weak var model: NSManagedObjectModel?
    init(_ model: NSManagedObjectModel) { self.model = model }
  }

  private static let references = Mutex<[Reference]>([])

  static func enter(_ model: NSManagedObjectModel) {
    references.withLock { all in
      all.removeAll { $0.model == nil || $0.model === model }
      all.append(Reference(model))
    }
  }

  /// The entity whose objects are of this class, from the model that came into use last.
  static func entity(for type: NSManagedObject.Type) -> NSEntityDescription? {
    let models = references.withLock { $0.compactMap(\.model) }
    let names = ClassNames(of: type)
    for model in models.reversed() {
      if let entity = names.entity(in: model) { return entity }
    }
    return models.reversed().lazy.compactMap(names.namesake).first
  }

  static func entity(
    for type: NSManagedObject.Type, in model: NSManagedObjectModel
  ) -> NSEntityDescription? {
    let names = ClassNames(of: type)
    return names.entity(in: model) ?? names.namesake(in: model)
  }
}

/// What a class is called in models.
private struct ClassNames {
  let type: NSManagedObject.Type
  /// The name in Swift, the one under which the class was registered, and those without a module unless they are
  /// another class's.
  private let own: [String]
  private let plain: String

  init(of type: NSManagedObject.Type) {
    self.type = type
    plain = String(describing: type)
    var own = [String(reflecting: type)]
    if let registered = ManagedObjectClasses.registration(of: type) { own.append(registered.name) }
    if ManagedObjectClasses.registration(plain)?.type == type { own += [plain, "." + plain] }
    self.own = own
  }

  /// The entity whose objects are of the class.
  func entity(in model: NSManagedObjectModel) -> NSEntityDescription? {
    let entities = model.entities
    return entities.first { $0.managedObjectClassName.map(own.contains) ?? false }
      ?? entities.first { entity in
        entity.managedObjectClassName.flatMap(ManagedObjectClasses.registration)?.type == type
      }
  }

  /// An entity whose class has the name without a module, be it another module's: better than none.
  func namesake(in model: NSManagedObjectModel) -> NSEntityDescription? {
    model.entities.first { entity in
      entity.managedObjectClassName == plain || entity.managedObjectClassName == "." + plain
    }
  }
}

/// What `entity()` answers for a class that no model in use names. It has no name, as nothing has in Objective-C
/// that is asked of nil. Sendable: nobody changes it.
private final class UnclaimedEntity: NSEntityDescription, @unchecked Sendable {
  static func complaint(_ type: NSManagedObject.Type) -> String {
    "No NSEntityDescriptions in any model claim the NSManagedObject subclass '\(type)' so "
      + "+entity is confused. Have you loaded your NSManagedObjectModel yet?"
  }
}

extension LoadedModels {
  static func claimedEntity(of type: NSManagedObject.Type) -> NSEntityDescription {
    if let entity = entity(for: type) { return entity }
    NSManagedObjectContext.report(UnclaimedEntity.complaint(type))
    return UnclaimedEntity()
  }
}

extension NSManagedObject {
  /// A fetch request for the objects of this class, seen as one of any.
  @_disfavoredOverload
  public class func fetchRequest() -> NSFetchRequest<NSFetchRequestResult> {
    NSFetchRequest(entityName: entity().name ?? "")
  }
}

extension ObservableManagedObject where Self: NSManagedObject {
  /// A fetch request for the objects of this class: what `fetchRequest()` gives where nothing asks for one of any results.
  ///
  /// So generic code that casts, `T.fetchRequest() as! NSFetchRequest<T>`, has the request that it wants; no cast leads
  /// from the other one to it.
  public static func fetchRequest() -> NSFetchRequest<Self> {
    NSFetchRequest<Self>(entityName: entity().name ?? "")
  }
}

extension NSManagedObjectContext {
  /// The entity of a class, in this context's model before any other. Found by name once: an import
  /// asks for every object.
  final func entity(for type: NSManagedObject.Type) -> NSEntityDescription {
    if let last = lastEntity, last.type == type { return last.entity }
    let model = rootCoordinator?.managedObjectModel
    let entity = model.flatMap { LoadedModels.entity(for: type, in: $0) } ?? type.entity()
    if entity is UnclaimedEntity { fatalError(UnclaimedEntity.complaint(type)) }
    lastEntity = LastEntity(type: type, entity: entity)
    return entity
  }

  /// The answer that ``entity(for:)`` gave last; forgotten with the coordinator that it came from.
  struct LastEntity {
    let type: NSManagedObject.Type
    let entity: NSEntityDescription
  }
}
