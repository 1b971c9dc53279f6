/// Names for the objects behind what a page shows, so that an event says which one it means.
///
/// Owned by one window session. Objects are held weakly: an event for one that is gone finds
/// nothing.
@MainActor
final class ElementNames {
  private struct Entry {
    weak var object: AnyObject?
    let name: String
  }

  private var byObject: [ObjectIdentifier: Entry] = [:]
  private var byName: [String: Entry] = [:]
  private var last = 0

  func name(for object: AnyObject) -> String {
    // An address is used again after its object is gone; then the entry's object is nil.
    if let entry = byObject[ObjectIdentifier(object)], entry.object === object { return entry.name }
    if byName.count > 4096 { forgetTheGone() }
    last += 1
    let entry = Entry(object: object, name: "e\(last)")
    byObject[ObjectIdentifier(object)] = entry
    byName[entry.name] = entry
    return entry.name
  }

  func object<Object>(named name: String?, as type: Object.Type = Object.self) -> Object? {
    // In steps: in one expression the optimizer casts an object that is gone.
    guard let name, let object = byName[name]?.object else { return nil }
    return object as? Object
  }

  private func forgetTheGone() {
    byName = byName.filter { $0.value.object != nil }
    byObject = byObject.filter { $0.value.object != nil }
  }
}
