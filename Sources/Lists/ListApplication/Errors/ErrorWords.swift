import CoreData

/// The text of an error, with a line for each invalid property, named like its field.
package func words(for error: any Error) -> String {
  let error = error as NSError
  let details = error.userInfo[NSDetailedErrorsKey] as? [any Error] ?? [error]
  return details.map { line(for: $0 as NSError) }.joined(separator: "\n")
}

/// The texts of validation errors by the names of their properties; empty if one of them has none.
package func validationWords(for error: any Error) -> [String: String] {
  let error = error as NSError
  let details = error.userInfo[NSDetailedErrorsKey] as? [any Error] ?? [error]
  let lines = details.map { $0 as NSError }.map { detail in
    (detail.userInfo[NSValidationKeyErrorKey] as? String, line(for: detail))
  }
  guard lines.allSatisfy({ $0.0 != nil }) else { return [:] }
  return Dictionary(lines.map { ($0.0 ?? "", $0.1) }) { first, _ in first }
}

private func line(for error: NSError) -> String {
  let text = error.localizedDescription
  guard let key = error.userInfo[NSValidationKeyErrorKey] as? String else {
    let reason = error.localizedFailureReason ?? ""
    let words = text.contains(reason) ? text : "\(text) \(reason)"
    return words.prefix(1).uppercased() + words.dropFirst()
  }
  guard text.hasPrefix(key) else { return text.prefix(1).uppercased() + text.dropFirst() }
  let attribute = (error.userInfo[NSValidationObjectErrorKey] as? NSManagedObject)?.entity
    .attributesByName[key]
  return (attribute?.label ?? NSPropertyDescription.label(key)) + text.dropFirst(key.count)
}

extension NSPropertyDescription {
  /// The name of the property's field in a form: `label` in its user info, or “Secret identity”
  /// for `secretIdentity`.
  var label: String { userInfo?["label"] as? String ?? Self.label(name) }

  fileprivate static func label(_ key: String) -> String {
    let words = key.map { $0.isUppercase ? " \($0.lowercased())" : "\($0)" }.joined()
    return words.prefix(1).uppercased() + words.dropFirst()
  }
}
