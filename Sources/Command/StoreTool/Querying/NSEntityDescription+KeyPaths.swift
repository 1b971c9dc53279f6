import CoreData

extension NSEntityDescription {
  /// What every managed object answers besides its properties.
  private static let builtIn: Set = [
    "objectID", "self", "SELF", "entity", "isInserted", "inserted", "isUpdated", "updated",
    "isDeleted", "deleted", "hasChanges", "isFault", "fault",
  ]

  /// The relationships that a key path follows. Throws a usage error with the names that there are,
  /// if one on the path is unknown. What follows an operator such as `@count` or a composite
  /// attribute is not looked at.
  @discardableResult
  func relationships(onPath path: String) throws -> [NSRelationshipDescription] {
    var followed: [NSRelationshipDescription] = []
    var next: NSEntityDescription? = self
    for (index, key) in path.split(separator: ".").map(String.init).enumerated() {
      guard let current = next, !key.hasPrefix("@") else { return followed }
      guard let property = current.propertiesByName[key] else {
        if Self.builtIn.contains(key) { return followed }
        let names = current.properties.map(\.name).sorted().joined(separator: ", ")
        throw ToolError(
          .usage,
          description:
            "\(current.name ?? "") has no property “\(key)”\(index > 0 ? " (\(path))" : ""); it has: \(names)."
        )
      }
      next = (property as? NSRelationshipDescription)?.destinationEntity
      if let relationship = property as? NSRelationshipDescription { followed.append(relationship) }
    }
    return followed
  }
}
