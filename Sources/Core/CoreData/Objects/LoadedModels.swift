/// Finds the entity of a class without a context, as in `Item.entity()` or `\Item.title`, in the
/// models in use.
package enum LoadedModels {
  /// The entity of a class, in the model that was added last.
  static func entity(for type: NSManagedObject.Type) -> NSEntityDescription? {
    let models = ModelsInUse.all
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

/// The names of a class in models.
private struct ClassNames {
  let type: NSManagedObject.Type
  /// The name in Swift, the registered name, and the plain names unless they belong to another
  /// class.
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

  /// An entity whose class has the same plain name, even if it is a class of another module.
  func namesake(in model: NSManagedObjectModel) -> NSEntityDescription? {
    model.entities.first { entity in
      entity.managedObjectClassName == plain || entity.managedObjectClassName == "." + plain
    }
  }
}

/// The result of `entity()` for a class without an entity in a model in use. It has no name, as nil
/// has none in Objective-C.
///
/// Sendable: never modified.
final class UnclaimedEntity: NSEntityDescription, @unchecked Sendable {
  static func complaint(_ type: NSManagedObject.Type) -> String {
    "No NSEntityDescriptions in any model claim the NSManagedObject subclass '\(type)' so "
      + "+entity is confused. Have you loaded your NSManagedObjectModel yet?"
  }
}

extension LoadedModels {
  static func claimedEntity(of type: NSManagedObject.Type) -> NSEntityDescription {
    if let entity = entity(for: type) { return entity }
    Console.error(UnclaimedEntity.complaint(type))
    return UnclaimedEntity()
  }
}

extension ObservableManagedObject where Self: NSManagedObject {
  /// A fetch request for the objects of this class, with the class as its result type. It is
  /// preferred where the context requires no other type.
  ///
  /// Generic code that casts, `T.fetchRequest() as! NSFetchRequest<T>`, thus gets a request of the
  /// right type; the other request could not be cast to it.
  public static func fetchRequest() -> NSFetchRequest<Self> {
    NSFetchRequest<Self>(entityName: entity().name ?? "")
  }
}
