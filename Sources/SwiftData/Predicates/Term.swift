import CoreData
import Foundation

/// What an expression of a Swift predicate is to the store.
struct Term {
  indirect enum Content {
    /// true or false
    case condition(Condition)
    /// The value of a column, or what is computed of such.
    case scalar(NSExpression)
    /// A model at the end of a key path. The store knows it as what the key path's property is declared as; it may
    /// have been cast to another class.
    case object(NSExpression, ModelType, declared: ModelType)
    /// The identifier of such a model.
    case identifier(NSExpression)
    case members(Members)
    case composite(NSExpression, CompositeForm)
    /// The composite attribute of an enumeration, which has that name.
    case enumeration(NSExpression, String, EnumerationForm)
    /// An attribute of which the store can say whether it is nil, and no more.
    case archive(NSExpression)
    /// A value that depends on no model.
    case constant(Any)
    case null
  }

  /// The models of a to-many relationship that meet a condition.
  struct Members {
    let collection: NSExpression
    let type: ModelType
    /// The name of the variable in the condition, which is nil for all models.
    var filter: (variable: String, condition: Condition)?
  }

  var content: Content
  /// When the value is nil; `no` for what never is.
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

  /// As a condition, which nil does not meet.
  func condition() throws -> Condition {
    switch content {
    case .condition(let condition): !isNil && condition
    case .scalar(let value):
      !isNil && .comparison(value, .equalTo, NSExpression(forConstantValue: true))
    case .null: .no
    default: throw Untranslatable("a value that is no condition")
    }
  }

  /// As a value of a column, without a thought of nil.
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

  /// A captured value as Core Data has it.
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
  /// The value of a key of this one.
  func appending(_ name: String) -> NSExpression {
    switch content {
    case .evaluatedObject: NSExpression(forKeyPath: name)
    case .keyPath(let path, let start):
      NSExpression(content: .keyPath("\(path).\(name)", of: start))
    default: NSExpression(content: .keyPath(name, of: self))
    }
  }
}
