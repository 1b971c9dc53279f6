import Synchronization

/// The Swift class of an entity: makes its objects, reads and sets its computed properties.
///
/// Swift cannot make an instance of a class that is known only by name, so the build plugin
/// registers each class with a closure that can. Thread-safe: both caches are atomic.
package final class ObjectClass: Sendable {
  private let className: String
  /// Whether objects are of exactly `NSManagedObject`.
  let isPlain: Bool
  private let factory: ManagedObjectFactory?
  // The address of a retained registration, which is never released; 0 before the first look-up.
  // Read for every object that is made.
  private let found = Atomic<UInt>(0)
  // The address of an empty object to copy (see `BlankObject`), which is never released; 0 before
  // the first look-up, 1 if objects cannot be copied.
  private let blank = Atomic<UInt>(0)

  init(entity: NSEntityDescription) {
    let name = entity.managedObjectClassName ?? ""
    // The name that `NSStringFromClass(NSManagedObject.self)` returns.
    className = name == "CoreData.NSManagedObject" ? "NSManagedObject" : name
    factory = entity.objectFactory
    isPlain = factory == nil && (className == "NSManagedObject" || className.isEmpty)
  }

  /// Makes an object without a context.
  func make(_ entity: NSEntityDescription) -> NSManagedObject {
    if isPlain { return NSManagedObject(entity: entity, insertInto: nil) }
    guard let known else { return findRegistration().make(entity, nil) }
    // Sound: the registration is never released.
    return known._withUnsafeGuaranteedRef { $0.make(entity, nil) }
  }

  /// Makes an object of a layout's entity, without a context. The entity is not retained: the
  /// layout keeps it alive, and retaining an object with weak references is slow.
  func make(_ layout: EntityLayout) -> NSManagedObject {
    let blank = blank.load(ordering: .acquiring)
    if blank > 1 { return BlankObject.copy(UnsafeRawPointer(bitPattern: blank).unsafelyUnwrapped) }
    if blank == 0 { findBlank(layout) }
    return layout.uncountedEntity._withUnsafeGuaranteedRef { make($0) }
  }

  /// Makes the object to copy. Threads that come here at once keep one each, of which one is used.
  @inline(never)
  private func findBlank(_ layout: EntityLayout) {
    let made = layout.uncountedEntity._withUnsafeGuaranteedRef { make($0) }
    let canBeCopied = BlankObject.canBeCopied(made)
    // Retained for good: other threads may copy the object at any time.
    let address = canBeCopied ? UInt(bitPattern: Unmanaged.passRetained(made).toOpaque()) : 1
    blank.store(address, ordering: .releasing)
  }

  /// Whether objects are of exactly this class.
  func makes(_ type: NSManagedObject.Type) -> Bool {
    isPlain ? type == NSManagedObject.self : registration.type == type
  }

  /// Whether the class has registered getters.
  var hasGetters: Bool {
    !isPlain && !registration.getters.isEmpty
  }

  /// The function that reads a computed property of the class; nil for properties of the model.
  func getter(_ key: String) -> ((NSManagedObject) -> Any?)? {
    if isPlain { return nil }
    return registration.getters[key]
  }

  /// Whether the class has registered setters.
  var hasSetters: Bool {
    !isPlain && !registration.setters.isEmpty
  }

  /// The key path of a property that the class sets by itself; nil for those of the model.
  func setter(_ key: String) -> AnyKeyPath? {
    isPlain ? nil : registration.setters[key]
  }

  private var registration: ManagedObjectClasses.Registration {
    known?.takeUnretainedValue() ?? findRegistration()
  }

  var known: Unmanaged<ManagedObjectClasses.Registration>? {
    // Sound: the address is that of a registration that is never released.
    UnsafeRawPointer(bitPattern: found.load(ordering: .acquiring)).map { .fromOpaque($0) }
  }

  func findRegistration() -> ManagedObjectClasses.Registration {
    let registration =
      factory.map(ManagedObjectClasses.Registration.init)
      ?? ManagedObjectClasses.registration(className)?.withInherited
      ?? ManagedObjectClasses.missing(className)
    // Retained for good: other threads may read the address at any time.
    let address = UInt(bitPattern: Unmanaged.passRetained(registration).toOpaque())
    found.store(address, ordering: .releasing)
    return registration
  }
}
