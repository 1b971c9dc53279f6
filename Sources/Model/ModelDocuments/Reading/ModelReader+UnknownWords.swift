/// Warnings about words that no version of Xcode writes into a model. Xcode's compiler ignores them
/// silently; in a model written by hand they are probably mistakes.
extension ModelReader {
  /// Elements with their attributes and child elements. Elements that are not listed, such as the
  /// editor's layout, are not checked.
  private static let known: [String: (attributes: Set<String>, children: Set<String>)] = [
    "entity": (
      [
        "name", "representedClassName", "syncable", "isAbstract", "parentEntity",
        "codeGenerationType", "elementID", "versionHashModifier", "customModuleName",
        "coreSpotlightDisplayNameExpression",
      ],
      [
        "attribute", "relationship", "fetchedProperty", "fetchIndex", "uniquenessConstraints",
        "compoundIndexes", "userInfo", ElementsArchive.unreadName,
      ]
    ),
    "attribute": (
      [
        "name", "optional", "attributeType", "syncable", "defaultValueString",
        "usesScalarValueType", "spotlightIndexingEnabled", "customClassName", "minValueString",
        "maxValueString", "valueTransformerName", "defaultDateTimeInterval",
        "minDateTimeInterval", "maxDateTimeInterval", "indexed", "transient",
        "regularExpressionString", "allowsExternalBinaryDataStorage", "storedInTruthFile",
        "versionHashModifier", "elementID", "composite", "preserveAfterDeletion",
        "allowsCloudEncryption", "derived", "derivationExpression", "ephemeral",
      ], ["userInfo"]
    ),
    "relationship": (
      [
        "name", "optional", "toMany", "deletionRule", "destinationEntity", "inverseName",
        "inverseEntity", "syncable", "minCount", "maxCount", "ordered", "indexed", "transient",
        "elementID", "versionHashModifier", "storedInTruthFile", "spotlightIndexingEnabled",
        "preserveAfterDeletion",
      ], ["userInfo"]
    ),
    "fetchedProperty": (
      [
        "name", "optional", "syncable", "transient", "indexed", "elementID",
        "versionHashModifier", "storedInTruthFile", "spotlightIndexingEnabled",
      ], ["fetchRequest", "userInfo"]
    ),
    "fetchRequest": (
      [
        "name", "entity", "predicateString", "fetchLimit", "fetchBatchSize", "resultType",
        "includeSubentities", "includePropertyValues", "returnObjectsAsFaults",
        "returnDistinctResults", "includesPendingChanges",
      ], []
    ),
    "fetchIndex": (["name", "partialIndexPredicate"], ["fetchIndexElement"]),
    "fetchIndexElement": (["property", "type", "order", "expression", "expressionType"], []),
    "uniquenessConstraints": ([], ["uniquenessConstraint"]),
    "uniquenessConstraint": ([], ["constraint"]),
    "constraint": (["value"], []),
    "compoundIndexes": ([], ["compoundIndex"]),
    "compoundIndex": ([], ["index"]),
    "index": (["value"], []),
    "userInfo": ([], ["entry"]),
    "entry": (["key", "value"], []),
    "composite": (["name", "elementID", "versionHashModifier"], ["attribute", "userInfo"]),
    "memberEntity": (["name"], []),
  ]

  private static let ofModels: Set = [
    "entity", "composite", "fetchRequest", "configuration", "elements",
    ElementsArchive.unreadName,
  ]

  /// Likely mistakes for Xcode's words that are spelled quite differently.
  private static let synonyms = [
    "renamingIdentifier": "elementID", "renamingID": "elementID", "type": "attributeType",
    "default": "defaultValueString", "defaultValue": "defaultValueString",
    "inverse": "inverseName", "destination": "destinationEntity",
    "deleteRule": "deletionRule", "class": "representedClassName",
    "className": "representedClassName", "parent": "parentEntity",
    "superentity": "parentEntity", "abstract": "isAbstract", "isOptional": "optional",
    "isOrdered": "ordered", "isTransient": "transient", "isDerived": "derived",
    "expression": "derivationExpression", "minValue": "minValueString",
    "maxValue": "maxValueString", "externalStorage": "allowsExternalBinaryDataStorage",
    "preservesValueInHistoryOnDeletion": "preserveAfterDeletion", "property": "attribute",
    "entityName": "entity", "predicate": "predicateString", "limit": "fetchLimit",
    "batchSize": "fetchBatchSize", "includesSubentities": "includeSubentities",
    "includesPropertyValues": "includePropertyValues",
    "returnsObjectsAsFaults": "returnObjectsAsFaults",
    "returnsDistinctResults": "returnDistinctResults",
    "includePendingChanges": "includesPendingChanges",
  ]

  mutating func warnAboutUnknownWords(in root: ModelElement) {
    for child in root.children {
      warnAboutChild(child, of: "model", among: Self.ofModels, entity: nil)
      warnAboutUnknownWords(of: child, entity: child.name == "entity" ? child["name"] : nil)
    }
  }

  private mutating func warnAboutUnknownWords(of element: ModelElement, entity: String?) {
    guard let known = Self.known[element.name] else { return }
    let property = entity == element["name"] && element.name == "entity" ? nil : element["name"]
    for name in element.attributes.keys.sorted() where !known.attributes.contains(name) {
      warn(
        element, entity: entity, property: property,
        problem:
          "“\(name)” is no attribute of “\(element.name)” and is passed over\(Self.hint(name, known: known.attributes))"
      )
    }
    for child in element.children {
      warnAboutChild(child, of: element.name, among: known.children, entity: entity)
      warnAboutUnknownWords(of: child, entity: entity)
    }
  }

  private mutating func warnAboutChild(
    _ child: ModelElement, of parent: String, among known: Set<String>, entity: String?
  ) {
    guard !known.contains(child.name) else { return }
    warn(
      child, entity: entity, property: child["name"],
      problem:
        "“\(child.name)” is no element of “\(parent)” and is passed over\(Self.hint(child.name, known: known))"
    )
  }

  private static func hint(_ word: String, known: Set<String>) -> String {
    if let meant = synonyms[word], known.contains(meant) {
      return "; “\(meant)” is what Xcode writes"
    }
    // A known word that contains the given one is likelier to be meant than one of similar
    // spelling.
    let part = word.lowercased()
    let whole = known.filter { part.count > 3 && $0.lowercased().contains(part) }.min()
    if let whole { return "; did you mean “\(whole)”?" }
    let near = known.map { ($0, distance(word.lowercased(), $0.lowercased())) }
      .filter { $0.1 <= max(1, word.count / 3) }.min { ($0.1, $0.0) < ($1.1, $1.0) }
    return near.map { "; did you mean “\($0.0)”?" } ?? ""
  }

  /// The Levenshtein distance: insertions, deletions and changes of letters.
  private static func distance(_ one: String, _ other: String) -> Int {
    let other = Array(other)
    var row = Array(0...other.count)
    for (index, letter) in one.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for column in other.indices {
        let above = row[column + 1]
        row[column + 1] =
          letter == other[column] ? diagonal : 1 + min(diagonal, above, row[column])
        diagonal = above
      }
    }
    return row[other.count]
  }
}
