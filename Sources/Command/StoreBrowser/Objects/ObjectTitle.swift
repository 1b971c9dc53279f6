import CoreData
import StoreTool

/// The title of an object in a list: the value of the attribute that is most likely its name.
@MainActor
enum ObjectTitle {
  /// The value of that attribute; `Book/p7` if it has none.
  static func text(of object: NSManagedObject) -> String {
    let text = attribute(of: object.entity).flatMap { shown($0, of: object) } ?? ""
    return text.isEmpty ? CellText.name(of: object.objectID) : text
  }

  /// The object's name, unless it is the title, and up to four values of other attributes.
  static func details(of object: NSManagedObject) -> String {
    let name = CellText.name(of: object.objectID)
    let title = attribute(of: object.entity)
    let others = object.entity.storedAttributes.filter { $0 !== title }
    let values = others.lazy.compactMap { attribute in
      shown(attribute, of: object).map { "\(attribute.name) \($0)" }
    }
    return ((text(of: object) == name ? [] : [name]) + values.prefix(4)).joined(separator: " · ")
  }

  private static func attribute(of entity: NSEntityDescription) -> NSAttributeDescription? {
    ObjectLabel.attribute(of: entity)
  }

  /// The initial sort key of a list; nil if the title's attribute has no order.
  static func sortKey(of entity: NSEntityDescription) -> String? {
    guard let attribute = attribute(of: entity) else { return nil }
    switch attribute.attributeType {
    case .binaryDataAttributeType, .transformableAttributeType, .compositeAttributeType: return nil
    default: return attribute.name
    }
  }

  /// A value as text on one line; nil for none.
  static func shown(_ attribute: NSAttributeDescription, of object: NSManagedObject) -> String? {
    object.value(forKey: attribute.name).map { shown($0, attribute: attribute) }
  }

  private static func shown(_ value: Any, attribute: NSAttributeDescription) -> String {
    if attribute.attributeType == .booleanAttributeType {
      return CellText.text(of: value, attribute)
    }
    return CellText.short(.object(value))
  }
}
