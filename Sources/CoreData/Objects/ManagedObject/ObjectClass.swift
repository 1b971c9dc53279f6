import Synchronization

/// The Swift class behind an entity: makes its objects and knows its computed properties.
///
/// Swift cannot make an instance of a class that it only knows by name, so the build plugin
/// registers each class with a closure that does. Thread-safe: looked up once.
package final class ObjectClass: Sendable {
  private let className: String
  /// Whether objects are of `NSManagedObject` itself.
  private let isPlain: Bool
  private let factory: ManagedObjectFactory?
  // The address of a registration that was retained for good, or 0: read for every object that is made.
  private let found = Atomic<UInt>(0)
  // The address of an empty object that is kept for good, to be copied (see `BlankObject`); 0 before anybody has
  // asked, 1 where objects are not copied.
  private let blank = Atomic<UInt>(0)

  init(entity: NSEntityDescription) {
    let name = entity.managedObjectClassName ?? ""
    // As `NSStringFromClass(NSManagedObject.self)` has it.
    className = name == "CoreData.NSManagedObject" ? "NSManagedObject" : name
    factory = entity.objectFactory
    isPlain = factory == nil && (className == "NSManagedObject" || className.isEmpty)
  }

  func make(_ entity: NSEntityDescription, _ context: NSManagedObjectContext?) -> NSManagedObject {
    if isPlain { return NSManagedObject(entity: entity, insertInto: context) }
    guard let known else { return findRegistration().make(entity, context) }
    return known._withUnsafeGuaranteedRef { $0.make(entity, context) }
  }

  /// An object without a context, of the entity whose layout this is. The entity is not retained meanwhile: the
  /// layout keeps it, and counting is slow for what has weak references.
  func make(_ layout: EntityLayout) -> NSManagedObject {
    let blank = blank.load(ordering: .acquiring)
    if blank > 1 { return BlankObject.copy(UnsafeRawPointer(bitPattern: blank).unsafelyUnwrapped) }
    if blank == 0 { findBlank(layout) }
    return layout.uncountedEntity._withUnsafeGuaranteedRef { make($0, nil) }
  }

  /// Threads that come here at once keep one each.
  @inline(never)
  private func findBlank(_ layout: EntityLayout) {
    let made = layout.uncountedEntity._withUnsafeGuaranteedRef { make($0, nil) }
    let canBeCopied = BlankObject.canBeCopied(made)
    let address = canBeCopied ? UInt(bitPattern: Unmanaged.passRetained(made).toOpaque()) : 1
    blank.store(address, ordering: .releasing)
  }

  /// Whether objects are of exactly this class.
  func makes(_ type: NSManagedObject.Type) -> Bool {
    isPlain ? type == NSManagedObject.self : registration.type == type
  }

  /// Whether the class declares getters of its own at all.
  var hasGetters: Bool {
    !isPlain && !registration.getters.isEmpty
  }

  /// How a computed property that the class declares is read; nil for the properties of the model.
  func getter(_ key: String) -> ((NSManagedObject) -> Any?)? {
    if isPlain { return nil }
    return registration.getters[key]
  }

  private var registration: ManagedObjectClasses.Registration {
    known?.takeUnretainedValue() ?? findRegistration()
  }

  private var known: Unmanaged<ManagedObjectClasses.Registration>? {
    UnsafeRawPointer(bitPattern: found.load(ordering: .acquiring)).map { .fromOpaque($0) }
  }

  private func findRegistration() -> ManagedObjectClasses.Registration {
    let registration =
      factory.map(ManagedObjectClasses.Registration.init)
      ?? ManagedObjectClasses.registration(className) ?? ManagedObjectClasses.missing(className)
    let address = UInt(bitPattern: Unmanaged.passRetained(registration).toOpaque())
    found.store(address, ordering: .releasing)
    return registration
  }
}
