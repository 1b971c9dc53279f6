import CoreData
import Foundation

extension PredicateExpressions.Variable: TranslatableExpression {
  func term(by translation: inout PredicateTranslation) throws -> Term {
    try translation.value(of: key)
  }
}

extension PredicateExpressions.KeyPath: TranslatableExpression {
  func term(by translation: inout PredicateTranslation) throws -> Term {
    let owner = try translation.term(root)
    var term = try self.term(of: owner)
    if case .object(let object, let type, _) = owner.content {
      if case .identifier = term.content {} else { translation.noteValue(of: object, type) }
    }
    term.isNil = owner.isNil || term.isNil
    return term
  }

  private func term(of owner: Term) throws -> Term {
    switch owner.content {
    case .object(let object, let type, let declared):
      return try property(of: object, type, declared: declared)
    case .members(let members): return try count(members)
    case .enumeration(let owner, let name, let form):
      guard case .rawValue = form.storage, isRawValue(form) else { throw Untranslatable(self) }
      return Term(.scalar(owner.appending(name)))
    case .composite(let owner, let form): return try element(of: owner, form)
    case .scalar(let text) where Root.Output.self == String.self && keyPath == \String.isEmpty:
      return Term(.comparison(text, type: .equalTo, right: NSExpression(forConstantValue: "")))
    default: throw Untranslatable(self)
    }
  }

  // MARK: - Of models

  private func property(
    of object: NSExpression, _ type: ModelType, declared: ModelType
  ) throws -> Term {
    if Self.isIdentifier(keyPath, of: type.type) || isIdentifierOfRoot {
      return Term(.identifier(object))
    }
    guard let property = type.property(for: keyPath) else {
      throw SwiftDataError(
        .unsupportedPredicate,
        explanation:
          "The key path \(keyPath) is no property that \(type.entityName) keeps: it is computed or @Transient. "
          + "Compare what it is computed of, or filter the fetched models")
    }
    // A fetch of the base class does not read properties that a subclass declares.
    guard declared.property(named: property.name) === property else { throw Untranslatable(self) }
    return Term(property, of: object)
  }

  private var isIdentifierOfRoot: Bool {
    (Root.Output.self as? any PersistentModel.Type).map { Self.isIdentifier(keyPath, of: $0) }
      ?? false
  }

  private static func isIdentifier<Model: PersistentModel>(
    _ keyPath: AnyKeyPath, of type: Model.Type
  ) -> Bool {
    (keyPath as? PartialKeyPath<Model>)?.isIdentifier ?? false
  }

  // MARK: - Of values

  private func count(_ members: Term.Members) throws -> Term {
    let count = try members.count()
    guard let counted = Root.Output.self as? any CountedMembers.Type else {
      throw Untranslatable(self)
    }
    switch keyPath {
    case counted.countKeyPath: return Term(.scalar(count))
    case counted.isEmptyKeyPath:
      return Term(.comparison(count, type: .equalTo, right: NSExpression(forConstantValue: 0)))
    default: throw Untranslatable(self)
    }
  }

  /// Returns whether the key path is `rawValue`. Such a key path is equal to none that can be
  /// constructed here, so its results are compared.
  private func isRawValue(_ form: EnumerationForm) -> Bool {
    guard let names = Reflection.caseNames(of: form.type), !names.isEmpty else { return false }
    return names.indices.allSatisfy { number in
      guard let value = form.value(numbered: number) as? Root.Output,
        let given = value[keyPath: keyPath] as? any ColumnValue & Hashable,
        let raw = (value as? any RawRepresentable)?.rawValue as? any Hashable
      else { return false }
      return AnyHashable(given) == AnyHashable(raw)
    }
  }

  /// The member of a structure; its name is in the description of the key path.
  private func element(of owner: NSExpression, _ form: CompositeForm) throws -> Term {
    let name = "\(keyPath)".split(separator: ".").last.map(String.init) ?? ""
    guard let element = form.elements.first(where: { $0.name == name }) else {
      throw Untranslatable(self)
    }
    return Term(element.form, named: name, of: owner, isOptional: element.isOptional)
  }
}

extension Term {
  /// The term of a model's property.
  init(_ property: ModelProperty, of object: NSExpression) {
    let place = object.appending(property.name)
    switch property.form {
    case .attribute: self.init(.scalar(place))
    case .composite(let form): self.init(.composite(place, form))
    case .enumeration(let form): self.init(.enumeration(place, property.name, form))
    case .archive: self.init(.archive(place))
    case .toOne(let type): self.init(object: place, ModelType.of(type))
    case .toMany(let type):
      // Never nil: a relationship without members is empty.
      self.init(.members(Members(collection: place, type: ModelType.of(type))))
      return
    }
    if property.isOptional { isNil = nilCase }
  }

  /// The term of a stored property of a structure.
  fileprivate init(
    _ form: ValueForm, named name: String, of owner: NSExpression, isOptional: Bool
  ) {
    let place = owner.appending(name)
    switch form {
    case .column: self.init(.scalar(place))
    case .composite(let form): self.init(.composite(place, form))
    case .enumeration(let form): self.init(.enumeration(place, name, form))
    case .archive: self.init(.archive(place))
    }
    if isOptional { isNil = nilCase }
  }

  private var nilCase: Condition {
    switch content {
    case .scalar(let value), .object(let value, _, _), .composite(let value, _),
      .archive(let value):
      .isNil(value)
    case .enumeration(let owner, let name, let form):
      switch form.storage {
      case .rawValue: .isNil(owner.appending(name))
      case .cases(let names): .and(names.map { .isNil(owner.appending($0)) })
      }
    default: .no
    }
  }
}

/// A collection type with its own key paths of `count` and `isEmpty`; they differ for each element
/// type.
private protocol CountedMembers {
  static var countKeyPath: AnyKeyPath { get }
  static var isEmptyKeyPath: AnyKeyPath { get }
}

extension Array: CountedMembers {
  fileprivate static var countKeyPath: AnyKeyPath { \[Element].count }
  fileprivate static var isEmptyKeyPath: AnyKeyPath { \[Element].isEmpty }
}
