import CoreData
import Foundation

/// The translation of an expression of a Swift predicate.
struct Term {
  indirect enum Content {
    /// A truth value.
    case condition(Condition)
    /// The value of a column, or a value computed from columns.
    case scalar(NSExpression)
    /// A model at the end of a key path. `declared` is the class of the key path's property, which
    /// the store knows; the ModelType before it is the class that the model has been cast to.
    case object(NSExpression, ModelType, declared: ModelType)
    /// The identifier of a model.
    case identifier(NSExpression)
    case members(Members)
    case composite(NSExpression, CompositeForm)
    /// The composite attribute of an enumeration, with the attribute's name.
    case enumeration(NSExpression, String, EnumerationForm)
    /// An archived attribute, which the store can only compare with nil.
    case archive(NSExpression)
    /// A value that does not depend on a model.
    case constant(Any)
    case null
  }

  /// The models of a to-many relationship, filtered by a condition.
  struct Members {
    let collection: NSExpression
    let type: ModelType
    /// The condition and the name of its variable; nil for all models.
    var filter: (variable: String, condition: Condition)?
  }

  var content: Content
  /// The condition under which the value is nil; `no` for a value that is never nil.
  var isNil: Condition

  init(_ content: Content, isNil: Condition = .no) {
    self.content = content
    self.isNil = isNil
  }

  init(_ condition: Condition) { self.init(.condition(condition)) }

  init(object: NSExpression, _ type: ModelType) {
    self.init(.object(object, type, declared: type))
  }

  init(constant value: Any) {
    if let value = unwrapped(value) {
      self.init((value as? Bool).map { .condition(Condition($0)) } ?? .constant(value))
    } else {
      self.init(.null, isNil: .yes)
    }
  }

  // MARK: - As a condition or a value

  /// The term as a condition, which is false for nil.
  func condition() throws -> Condition {
    switch content {
    case .condition(let condition): !isNil && condition
    case .scalar(let value):
      !isNil && .comparison(value, type: .equalTo, right: NSExpression(forConstantValue: true))
    case .null: .no
    default: throw Untranslatable("a value that is no condition")
    }
  }

  /// The term as a column value. Does not account for nil.
  func value() throws -> NSExpression {
    switch content {
    case .condition(let condition):
      if let constant = condition.constant { return NSExpression(forConstantValue: constant) }
      return NSExpression(
        forConditional: try condition.exactly().predicate,
        trueExpression: NSExpression(forConstantValue: true),
        falseExpression: NSExpression(forConstantValue: false))
    case .scalar(let value), .object(let value, _, _), .identifier(let value): return value
    case .enumeration(let owner, let name, let form):
      guard case .rawValue = form.storage else { throw Untranslatable("a case") }
      return owner.appending(name)
    case .constant(let value): return NSExpression(forConstantValue: try Self.boxed(value))
    case .null: return NSExpression(forConstantValue: nil)
    case .members, .composite, .archive: throw Untranslatable("a structure")
    }
  }

  /// A captured value in the form that Core Data compares with.
  static func boxed(_ value: Any) throws -> Any {
    if let column = value as? any ColumnValue { return column.boxed }
    if let text = value as? Substring { return String(text) }
    if let enumeration = EnumerationForm(type(of: value)), let boxed = enumeration.boxed(value) {
      return boxed
    }
    throw Untranslatable("a captured value of type \(type(of: value))")
  }

  var isConstant: Bool {
    switch content {
    case .constant, .null: true
    case .condition(let condition): condition.constant != nil
    default: false
    }
  }
}

extension NSExpression {
  /// The value of a key of this expression.
  func appending(_ name: String) -> NSExpression {
    switch content {
    case .evaluatedObject: NSExpression(forKeyPath: name)
    case .keyPath(let path, let start):
      NSExpression(content: .keyPath("\(path).\(name)", of: start))
    default: NSExpression(content: .keyPath(name, of: self))
    }
  }
}
