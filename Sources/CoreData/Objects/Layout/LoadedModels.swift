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
    for model in models.reversed() {
      if let entity = entity(for: type, in: model) { return entity }
    }
    return nil
  }

  static func entity(
    for type: NSManagedObject.Type, in model: NSManagedObjectModel
  ) -> NSEntityDescription? {
    let qualified = String(reflecting: type)
    let plain = String(describing: type)
    let named = model.entities.first { entity in
      guard var name = entity.managedObjectClassName, name != "NSManagedObject" else {
        return false
      }
      if name.hasPrefix(".") { name.removeFirst() }
      return name == plain || name == qualified
    }
    return named ?? model.entities.first { isRegistered(type, for: $0) }
  }

  /// Whether the class was registered under another name than its own, as one in a namespace is.
  private static func isRegistered(
    _ type: NSManagedObject.Type, for entity: NSEntityDescription
  ) -> Bool {
    entity.managedObjectClassName.flatMap(ManagedObjectClasses.registration)?.type == type
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
  /// A fetch request for the objects of this class.
  @_disfavoredOverload
  public class func fetchRequest() -> NSFetchRequest<NSFetchRequestResult> {
    NSFetchRequest(entityName: entity().name ?? "")
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
