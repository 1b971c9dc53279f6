import Foundation

extension ModelReader {
  /// The default value; dates are seconds since the beginning of 2001.
  mutating func defaultValue(
    of element: ModelElement, type: ModelAttributeType, entity: String
  ) -> ModelConstant? {
    if type == .date { return date("defaultDateTimeInterval", in: element, entity: entity) }
    guard let text = element.attributes["defaultValueString"] else { return nil }
    guard type == .string || !text.isEmpty else { return nil }
    if let value = ModelConstant(text: text, type: type) { return value }
    let value = ModelConstant(unfitting: text, type: type)
    warn(
      element, entity: entity, property: element["name"],
      problem: "the default value “\(text)” is not of type \(type.rawValue); "
        + (value.map { "it is read as \($0.value)" } ?? "there is no default"))
    return value
  }

  /// The limits; an unreadable one gives a warning and is ignored.
  mutating func limits(
    of element: ModelElement, type: ModelAttributeType, entity: String
  ) -> ModelLimits {
    var limits = ModelLimits()
    if type == .date {
      limits.minimum = date("minDateTimeInterval", in: element, entity: entity)
      limits.maximum = date("maxDateTimeInterval", in: element, entity: entity)
      return limits
    }
    limits.minimum = limit("minValueString", in: element, type: type, entity: entity)
    limits.maximum = limit("maxValueString", in: element, type: type, entity: entity)
    if type == .string { limits.pattern = element["regularExpressionString"] }
    return limits
  }

  private mutating func limit(
    _ name: String, in element: ModelElement, type: ModelAttributeType, entity: String
  ) -> ModelConstant? {
    guard let text = element[name] else { return nil }
    // The limits of a string are lengths.
    let type = type == .string ? .integer64 : type
    if let limit = ModelConstant(text: text, type: type) { return limit }
    warn(
      element, entity: entity, property: element["name"],
      problem: "\(name) “\(text)” is not of type \(type.rawValue); it limits nothing")
    return nil
  }

  /// A date from seconds since the beginning of 2001.
  private mutating func date(
    _ name: String, in element: ModelElement, entity: String
  ) -> ModelConstant? {
    guard let text = element[name] else { return nil }
    if let seconds = Double(text) { return .date(Date(timeIntervalSinceReferenceDate: seconds)) }
    warn(
      element, entity: entity, property: element["name"],
      problem:
        "\(name) “\(text)” is not a date, which is seconds since the beginning of 2001; it is left out"
    )
    return nil
  }
}
