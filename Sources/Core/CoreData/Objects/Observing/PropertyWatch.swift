/// One step of an observed key path: a property of one object, and the rest of the path.
///
///     project.owner.name     watch(project, owner) ─tail→ watch(owner, name)
///                            watch(owner, name) ─dependency→ watch(owner, firstName)
///                            watch(owner, name) ─dependency→ watch(owner, lastName)
///
/// A change of the property is reported to the observer at the head of the chain. If a step leads
/// to another object than before, its tail is replaced. Dependencies are the paths that the class
/// declares for a property's value.
///
/// Owned by the step before it, or by its observer if it is the head. The object's table refers to
/// it weakly, because any thread may free the head together with its object. A watch keeps its
/// object alive, since a context does not keep unchanged objects; but not the root, which owns the
/// chain.
final class PropertyWatch {
  private enum Role { case head, tail, dependency }

  let key: String
  private let rest: String?
  private let role: Role
  private let held: (any WatchedObject)?
  private weak var root: (any WatchedObject)?
  private weak var observer: PropertyObserver?
  private weak var parent: PropertyWatch?
  /// Guards `tail` and `dependencies`: for an object without a queue, any thread changes them.
  private let lock = NSLock()
  private var tail: PropertyWatch?
  private var dependencies: [PropertyWatch] = []

  init(of observer: PropertyObserver, _ root: any WatchedObject, path: String) {
    (key, rest) = root.firstStep(of: path)
    self.root = root
    self.observer = observer
    role = .head
    held = nil
  }

  private init(
    _ role: Role, of parent: PropertyWatch, object: any WatchedObject, path: String,
    root: any WatchedObject
  ) {
    (key, rest) = object.firstStep(of: path)
    self.role = role
    self.root = root
    self.parent = parent
    held = object.observedIdentity == root.observedIdentity ? nil : object
  }

  var object: (any WatchedObject)? { held ?? root }

  // MARK: - Attaching

  func attach() {
    guard let object, let root else { return }
    object.adopt(self)
    for path in dependencyPaths(object) {
      let dependency = PropertyWatch(.dependency, of: self, object: object, path: path, root: root)
      lock.withLock { dependencies.append(dependency) }
      dependency.attach()
    }
    aim()
  }

  func detach() {
    object?.forgetWatch(self)
    let parts = lock.withLock {
      let parts = dependencies + [tail].compactMap(\.self)
      (tail, dependencies) = (nil, [])
      return parts
    }
    for part in parts { part.detach() }
  }

  /// The paths that the value depends on. Circular dependencies are followed once.
  private func dependencyPaths(_ object: any WatchedObject) -> [String] {
    var watch: PropertyWatch? = self
    while let dependency = watch, dependency.role == .dependency {
      guard let parent = dependency.parent else { break }
      if parent.key == key, parent.object?.observedIdentity == object.observedIdentity { return [] }
      watch = parent
    }
    return object.pathsAffecting(key).sorted()
  }

  /// Points the tail at the object that the property leads to now.
  private func aim() {
    guard let rest, let object, let root else { return }
    let next = object.observedDestination(key)
    let old = lock.withLock { tail }
    if let old, let now = old.object, now.observedSubject != nil,
      now.observedIdentity == next?.observedIdentity
    {
      return
    }
    let new = next.map { PropertyWatch(.tail, of: self, object: $0, path: rest, root: root) }
    lock.withLock { tail = new }
    old?.detach()
    new?.attach()
  }

  // MARK: - Changes

  /// The observer to notify of a change of the property, and the change for its whole path: a
  /// setting unless the property is the path's end.
  func event(_ change: PropertyChange) -> (PropertyObserver, PropertyChange)? {
    var change = rest == nil ? change : .setting
    var watch = self
    while let parent = watch.parent {
      if watch.role == .dependency { change = .setting }
      watch = parent
    }
    return watch.observer.map { ($0, change) }
  }

  /// Updates the tails after a change of the property.
  func settle() {
    aim()
    if role == .dependency { parent?.settle() }
  }
}

extension EntityLayout {
  /// Splits a path after its first property. Elements of composite attributes have names with dots.
  func firstStep(of path: String) -> (key: String, rest: String?) {
    if place(of: path) != nil { return (path, nil) }
    var first: (String, String?)?
    var index = path.firstIndex(of: ".")
    while let dot = index {
      let key = String(path[..<dot])
      if first == nil || place(of: key) != nil {
        first = (key, String(path[path.index(after: dot)...]))
      }
      index = path[path.index(after: dot)...].firstIndex(of: ".")
    }
    return first ?? (path, nil)
  }
}
