import Foundation

extension ModelXMLReader {
  private static let tooLarge = 1610
  private static let tooSmall = 1620
  private static let tooLate = 1630
  private static let tooSoon = 1640
  private static let tooLong = 1660
  private static let tooShort = 1670
  private static let noMatch = 1680

  /// Turns limits into validation predicates with their error codes, as Apple's compiler does.
  func addValidation(
    from element: ModelElement, to attribute: NSAttributeDescription, entity: String
  ) throws {
    let rules: [(NSPredicate, Int)]
    switch attribute.attributeType {
    case .stringAttributeType: rules = try textRules(from: element, entity: entity)
    case .dateAttributeType: rules = try dateRules(from: element, entity: entity)
    default: rules = try numberRules(from: element, attribute: attribute, entity: entity)
    }
    guard !rules.isEmpty else { return }
    attribute.setValidationPredicates(
      rules.map(\.0), withValidationWarnings: rules.map { NSNumber(value: $0.1) })
  }

  private func textRules(
    from element: ModelElement, entity: String
  ) throws -> [(NSPredicate, Int)] {
    var rules: [(NSPredicate, Int)] = []
    if let length = try count("minValueString", in: element, entity: entity) {
      rules.append((NSPredicate(format: "length >= %@", NSNumber(value: length)), Self.tooShort))
    }
    if let length = try count("maxValueString", in: element, entity: entity) {
      rules.append((NSPredicate(format: "length <= %@", NSNumber(value: length)), Self.tooLong))
    }
    if let pattern = element["regularExpressionString"] {
      rules.append((NSPredicate(format: "SELF MATCHES %@", pattern), Self.noMatch))
    }
    return rules
  }

  private func count(
    _ name: String, in element: ModelElement, entity: String
  ) throws -> Int? {
    guard let text = element[name] else { return nil }
    guard let count = Int(text) else {
      throw error(
        element, entity: entity, property: element["name"], "\(name) “\(text)” is not a length")
    }
    return count
  }

  private func dateRules(
    from element: ModelElement, entity: String
  ) throws -> [(NSPredicate, Int)] {
    var rules: [(NSPredicate, Int)] = []
    if let first = try date(element["minDateTimeInterval"], in: element, entity: entity) {
      rules.append((NSPredicate(format: "SELF >= %@", first), Self.tooSoon))
    }
    if let last = try date(element["maxDateTimeInterval"], in: element, entity: entity) {
      rules.append((NSPredicate(format: "SELF <= %@", last), Self.tooLate))
    }
    return rules
  }

  private func numberRules(
    from element: ModelElement, attribute: NSAttributeDescription, entity: String
  ) throws -> [(NSPredicate, Int)] {
    var rules: [(NSPredicate, Int)] = []
    if let limit = try limit("minValueString", element, attribute, entity) {
      rules.append((NSPredicate(format: "SELF >= %@", limit), Self.tooSmall))
    }
    if let limit = try limit("maxValueString", element, attribute, entity) {
      rules.append((NSPredicate(format: "SELF <= %@", limit), Self.tooLarge))
    }
    return rules
  }

  private func limit(
    _ name: String, _ element: ModelElement, _ attribute: NSAttributeDescription, _ entity: String
  ) throws -> Any? {
    guard let text = element[name] else { return nil }
    guard let limit = value(of: text, type: attribute.attributeType) else {
      let type = AttributeTypeNames.name(of: attribute.attributeType)
      throw error(
        element, entity: entity, property: element["name"],
        "\(name) “\(text)” is not of type \(type)")
    }
    return limit
  }
}
