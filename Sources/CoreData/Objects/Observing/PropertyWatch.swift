/// One step of an observed key path: a property of one object, with the rest of the path behind it.
///
///     project.owner.name         watch(project, owner) ─tail→ watch(owner, name) ─dependency→ watch(owner, firstName)
///                                                                                ─dependency→ watch(owner, lastName)
///
/// A change of the property belongs to the observer at the head of the chain. Where a step leads to another object than
/// before, its tail is made anew. Dependencies are the paths that the class says a property's value depends on.
///
/// Owned by the step before it, the first by its observer; the table of its object has it weakly, because the head may
/// be freed with its object by any thread. It keeps its object alive (a context keeps none that is unchanged), but for
/// the root, which owns it.
final class PropertyWatch {
  private enum Role { case head, tail, dependency }

  let key: String
  private let rest: String?
  private let role: Role
  private let held: (any WatchedObject)?
  private weak var root: (any WatchedObject)?
  private weak var observer: PropertyObserver?
  private weak var parent: PropertyWatch?
  /// Of an object without a queue, these two change on every thread.
  private let lock = NSLock()
  private var tail: PropertyWatch?
  private var dependencies: [PropertyWatch] = []

  init(of observer: PropertyObserver, _ root: any WatchedObject, _ path: String) {
    (key, rest) = root.firstStep(of: path)
    self.root = root
    self.observer = observer
    role = .head
    held = nil
  }

  private init(
    _ role: Role, of parent: PropertyWatch, _ object: any WatchedObject, _ path: String,
    _ root: any WatchedObject
  ) {
    (key, rest) = object.firstStep(of: path)
    self.role = role
    self.root = root
    self.parent = parent
    held = object.observedIdentity == root.observedIdentity ? nil : object
  }

  var object: (any WatchedObject)? { held ?? root }

  // MARK: - Being there

  func attach() {
    guard let object, let root else { return }
    object.adopt(self)
    for path in dependencyPaths(object) {
      let dependency = PropertyWatch(.dependency, of: self, object, path, root)
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

  /// What the value depends on; a class that leads in a circle is followed once round.
  private func dependencyPaths(_ object: any WatchedObject) -> [String] {
    var watch: PropertyWatch? = self
    while let dependency = watch, dependency.role == .dependency {
      guard let parent = dependency.parent else { break }
      if parent.key == key, parent.object?.observedIdentity == object.observedIdentity { return [] }
      watch = parent
    }
    return object.pathsAffecting(key).sorted()
  }

  /// Has the tail watch the object that the property leads to now.
  private func aim() {
    guard let rest, let object, let root else { return }
    let next = object.observedDestination(key)
    let old = lock.withLock { tail }
    if let old, let now = old.object, now.observedSubject != nil,
      now.observedIdentity == next?.observedIdentity
    {
      return
    }
    let new = next.map { PropertyWatch(.tail, of: self, $0, rest, root) }
    lock.withLock { tail = new }
    old?.detach()
    new?.attach()
  }

  // MARK: - Changes

  /// Who is to be told of a change of the property, and what it is to the whole path: a setting where the change is
  /// not at the path's end.
  func event(_ change: PropertyChange) -> (PropertyObserver, PropertyChange)? {
    var change = rest == nil ? change : .setting
    var watch = self
    while let parent = watch.parent {
      if watch.role == .dependency { change = .setting }
      watch = parent
    }
    return watch.observer.map { ($0, change) }
  }

  /// The property has changed: what is behind it is watched where it is now.
  func settle() {
    aim()
    if role == .dependency { parent?.settle() }
  }
}

extension EntityLayout {
  /// The property that a path begins with and what follows it: elements of composite attributes have names with dots.
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
