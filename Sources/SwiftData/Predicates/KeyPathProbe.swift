import CoreData
import Foundation

/// Finds out what a key path of a model leads through, by following it on a model without values that notes what it is
/// asked for.
///
/// Key paths of a model's properties are computed and print no names; those through a relationship, and those of a
/// subclass to what it inherits, are equal to none that could be made here.
enum KeyPathProbe<Model: PersistentModel> {
  /// The names of the properties with dots between; nil for a key path to what no column keeps.
  static func path(of keyPath: PartialKeyPath<Model>) -> String? {
    if let property = ModelType.of(Model.self).property(for: keyPath) {
      return column(of: property).map { [property.name] + $0 }?.joined(separator: ".")
    }
    let notes = ProbeNotes()
    let model = Model(backingData: ProbeBackingData<Model>(notes))
    let value = unwrapped(model[keyPath: keyPath])
    guard let last = notes.properties.last, let rest = column(of: last),
      notes.properties.dropLast().allSatisfy({ $0.kind == .toOne }),
      isWhatWasRead(value, notes.sample)
    else { return nil }
    return (notes.properties.map(\.name) + rest).joined(separator: ".")
  }

  /// The one property that a key path is of, whichever class of the tree declares it.
  static func property(of keyPath: PartialKeyPath<Model>) -> ModelProperty? {
    let notes = ProbeNotes()
    let value = Model(backingData: ProbeBackingData<Model>(notes))[keyPath: keyPath]
    guard notes.properties.count == 1, let property = notes.properties.first,
      property.declaredType == type(of: keyPath).valueType,
      property.kind != .column || isWhatWasRead(unwrapped(value), notes.sample)
    else { return nil }
    return property
  }

  /// Elements below a property; nil where it is no single column.
  private static func column(of property: ModelProperty) -> [String]? {
    switch property.form {
    case .attribute: return []
    case .composite, .enumeration, .archive, .toOne, .toMany: return nil
    }
  }

  /// A computed property would make something else of it.
  private static func isWhatWasRead(_ value: Any?, _ sample: Any?) -> Bool {
    guard let value = value as? any Hashable, let sample = sample as? any Hashable else {
      return false
    }
    return AnyHashable(value) == AnyHashable(sample)
  }
}

private final class ProbeNotes {
  var properties: [ModelProperty] = []
  /// The value of the last one.
  var sample: Any?
}

/// Values of a model that are asked for and never there.
private final class ProbeBackingData<Model: PersistentModel>: ModelStateBacking {
  let modelType = ModelType.of(Model.self)
  private let notes: ProbeNotes
  lazy var identifier = PersistentIdentifier.detached(modelType.entityName)

  init(_ notes: ProbeNotes) { self.notes = notes }

  convenience init(for modelType: Model.Type) { self.init(ProbeNotes()) }

  var persistentModelID: PersistentIdentifier? {
    get { identifier }
    set {}
  }

  func read<Value>(_ property: ModelProperty, as type: Value.Type) -> Value {
    notes.properties.append(property)
    let value = sample(property) as? Value ?? property.missingValue(as: type)
    notes.sample = unwrapped(value)
    return value
  }

  private func sample(_ property: ModelProperty) -> Any? {
    switch property.form {
    case .toOne(let type): probe(type)
    // No value that anything else would be computed to.
    case .attribute(.string): "\u{F0000}sample"
    case .attribute(let type) where type == .integer64 || type == .integer32:
      Self.number(property.valueType)
    case .attribute(.double): 104_729.125
    case .attribute(.date): Date(timeIntervalSinceReferenceDate: 104_729.125)
    default: property.valueForm?.zero
    }
  }

  private static func number(_ type: any Any.Type) -> Any? {
    (type as? any FixedWidthInteger.Type).map { 104_729.made(as: $0) }
  }

  private func probe<Other: PersistentModel>(_ type: Other.Type) -> Any {
    Other(backingData: ProbeBackingData<Other>(notes))
  }

  func write<Value>(_ value: Value, _ property: ModelProperty) {}
  func setRelated(_ value: Any?, _ property: ModelProperty, of model: any PersistentModel) {}
}

extension Int {
  fileprivate func made<Number: FixedWidthInteger>(as type: Number.Type) -> Any {
    Number(truncatingIfNeeded: self)
  }
}
