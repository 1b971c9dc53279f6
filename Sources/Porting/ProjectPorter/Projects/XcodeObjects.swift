import Foundation

/// The objects of a `project.pbxproj`: dictionaries that refer to each other by identifiers.
struct XcodeObjects {
  struct Object {
    let identifier: String
    fileprivate let values: [String: Any]

    var isa: String { self["isa"] ?? "" }
    subscript(key: String) -> String? { values[key] as? String }
    func list(_ key: String) -> [String] { values[key] as? [String] ?? [] }
    func dictionary(_ key: String) -> [String: Any] { values[key] as? [String: Any] ?? [:] }
  }

  let file: URL
  let root: Object
  private let objects: [String: [String: Any]]

  init(_ project: URL) throws {
    file = project.appendingPathComponent("project.pbxproj")
    let plist: Any
    do {
      plist = try PropertyListSerialization.propertyList(
        from: Data(contentsOf: file), format: nil)
    } catch {
      throw PortError(
        "\(file.path): expected a property list, as Xcode writes it: \(error.localizedDescription). "
          + "Open the project in Xcode: a merge may have left its marks.")
    }
    guard let plist = plist as? [String: Any],
      let objects = plist["objects"] as? [String: [String: Any]]
    else { throw PortError("\(file.path): expected a dictionary with the key “objects”") }
    self.objects = objects
    guard let identifier = plist["rootObject"] as? String, let values = objects[identifier] else {
      throw PortError("\(file.path): expected “rootObject” to name the project; it names nothing")
    }
    root = Object(identifier: identifier, values: values)
  }

  subscript(identifier: String?) -> Object? {
    guard let identifier, let values = objects[identifier] else { return nil }
    return Object(identifier: identifier, values: values)
  }

  /// The objects listed under an object's key; missing ones are skipped, as in Xcode.
  func list(_ object: Object, key: String) -> [Object] {
    object.list(key).compactMap { self[$0] }
  }

  func all(_ isa: String) -> [Object] {
    objects.compactMap { $1["isa"] as? String == isa ? Object(identifier: $0, values: $1) : nil }
      .sorted { $0.identifier < $1.identifier }
  }
}
