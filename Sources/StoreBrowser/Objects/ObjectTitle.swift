import CoreData
import StoreTool

/// How an object is called in a list: by the attribute that most likely is its name.
@MainActor
enum ObjectTitle {
  private static let usualNames = [
    "title", "name", "fullName", "displayName", "label", "lastName", "subject", "caption",
  ]

  /// Its value of that attribute; `Book/p7` where there is none.
  static func text(of object: NSManagedObject) -> String {
    let text = attribute(of: object.entity).flatMap { shown($0, of: object) } ?? ""
    return text.isEmpty ? CellText.name(of: object.objectID) : text
  }

  /// What else there is to say of it, up to four values.
  static func details(of object: NSManagedObject) -> String {
    let title = attribute(of: object.entity)
    let others = object.entity.storedAttributes.filter { $0 !== title }
    let values = others.lazy.compactMap { attribute in
      shown(attribute, of: object).map { "\(attribute.name) \($0)" }
    }
    return ([CellText.name(of: object.objectID)] + values.prefix(4)).joined(separator: " · ")
  }

  /// Nil for an entity without attributes.
  static func attribute(of entity: NSEntityDescription) -> NSAttributeDescription? {
    let attributes = entity.storedAttributes
    let texts = attributes.filter { $0.attributeType == .stringAttributeType }
    let usual = usualNames.lazy.compactMap { name in texts.first { $0.name == name } }.first
    return usual ?? texts.first ?? attributes.first
  }

  /// What a list is in the order of at first; nil where the title is nothing that has an order.
  static func sortKey(of entity: NSEntityDescription) -> String? {
    guard let attribute = attribute(of: entity) else { return nil }
    switch attribute.attributeType {
    case .binaryDataAttributeType, .transformableAttributeType, .compositeAttributeType: return nil
    default: return attribute.name
    }
  }

  /// A value for people, on one line; nil for none.
  static func shown(_ attribute: NSAttributeDescription, of object: NSManagedObject) -> String? {
    object.value(forKey: attribute.name).map { shown($0, attribute) }
  }

  private static func shown(_ value: Any, _ attribute: NSAttributeDescription) -> String {
    if attribute.attributeType == .booleanAttributeType, let number = value as? NSNumber {
      return number.boolValue ? "true" : "false"
    }
    return CellText.short(.object(value))
  }
}

extension NSEntityDescription {
  /// In the order of their names; those that the store has no values of are left out.
  var storedAttributes: [NSAttributeDescription] {
    attributesByName.values.filter { !$0.isTransient }.sorted { $0.name < $1.name }
  }
}
