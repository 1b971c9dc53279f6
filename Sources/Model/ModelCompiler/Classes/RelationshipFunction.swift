/// The effect of an `@NSManaged` function on a to-many relationship, derived from its name.
///
/// The names follow "Core Data Programming Guide, Using Managed Objects" and the code that Xcode
/// generates, such as `addItemsObject(_:)` and `addToItems(_:)`.
struct RelationshipFunction {
  enum Action {
    case add, remove, removeAt, insertAt, replaceAt
  }

  let action: Action
  /// The relationship's name with its first letter in upper case.
  let capitalizedName: String

  /// A pattern of names: the texts before and after the relationship's name, and the labels. `*` in
  /// a label stands for the relationship's name.
  private struct Form {
    let action: Action
    let before: String
    let behind: String
    let labels: [String]

    init(_ action: Action, _ before: String, _ behind: String, _ labels: String...) {
      self.action = action
      self.before = before
      self.behind = behind
      self.labels = labels
    }

    func relationship(in name: String, _ given: [String]) -> String? {
      guard name.hasPrefix(before), name.hasSuffix(behind) else { return nil }
      var relationship = String(name.dropFirst(before.count).dropLast(behind.count))
      for (label, given) in zip(labels, given) {
        guard let star = label.firstIndex(of: "*") else {
          if label == given { continue } else { return nil }
        }
        let head = label[..<star]
        let tail = label[label.index(after: star)...]
        guard given.hasPrefix(head), given.hasSuffix(tail) else { return nil }
        let part = String(given.dropFirst(head.count).dropLast(tail.count))
        if relationship.isEmpty { relationship = part }
        guard part == relationship else { return nil }
      }
      return relationship.first?.isLowercase == false ? relationship : nil
    }
  }

  /// The patterns, more specific ones first.
  private static let forms = [
    Form(.insertAt, "insertObject", "", "_", "in*AtIndex"),
    Form(.removeAt, "removeObjectFrom", "AtIndex", "_"),
    Form(.insertAt, "insertInto", "", "_", "at"),
    Form(.insertAt, "insert", "", "_", "atIndexes"),
    Form(.insertAt, "insert", "", "_", "at"),
    Form(.removeAt, "remove", "AtIndexes", "_"),
    Form(.removeAt, "removeFrom", "", "at"),
    Form(.removeAt, "remove", "", "at"),
    Form(.replaceAt, "replaceObjectIn", "AtIndex", "_", "withObject"),
    Form(.replaceAt, "replace", "AtIndexes", "_", "with*"),
    Form(.replaceAt, "replace", "", "at", "with"),
    Form(.add, "addTo", "", "_"),
    Form(.remove, "removeFrom", "", "_"),
    Form(.add, "add", "Object", "_"),
    Form(.remove, "remove", "Object", "_"),
    Form(.add, "add", "", "_"),
    Form(.remove, "remove", "", "_"),
  ]

  /// All possible meanings of a name, likeliest first.
  static func meanings(of name: String, labels: [String]) -> [RelationshipFunction] {
    forms.compactMap { form -> RelationshipFunction? in
      guard form.labels.count == labels.count else { return nil }
      guard let relationship = form.relationship(in: name, labels) else { return nil }
      return RelationshipFunction(action: form.action, capitalizedName: relationship)
    }
  }
}
