import CoreData
import Foundation

/// Resolves a key path of a model class to property names, by following it on a probe: a model
/// without values that records which properties are read.
///
/// Needed because key paths of a model's properties are computed and print no names, and because
/// key paths through a relationship, and a subclass's key paths to inherited properties, are equal
/// to none that could be constructed here.
enum KeyPathProbe<Model: PersistentModel> {
  /// The property names, joined by dots and including the member of a structure; nil for a key path
  /// that does not lead to a column.
  static func path(of keyPath: PartialKeyPath<Model>) -> String? {
    if keyPath.isIdentifier { return "objectID" }
    if let property = ModelType.of(Model.self).property(for: keyPath) {
      return property.kind == .column ? property.name : nil
    }
    let notes = ProbeNotes()
    let value = follow(keyPath, notes: notes)
    guard let last = notes.properties.last,
      notes.properties.dropLast().allSatisfy({ $0.kind == .toOne })
    else { return nil }
    let path = notes.properties.map(\.name).joined(separator: ".")
    switch last.form {
    case .attribute: return isWhatWasRead(value, sample: notes.sample) ? path : nil
    case .composite(let form):
      return form.elements.first { isElement($0, keyPath: keyPath) }.map { "\(path).\($0.name)" }
    case .enumeration(let form):
      return isRawValue(form, keyPath: keyPath) ? "\(path).\(last.name)" : nil
    case .toOne(let type):
      let name = (value as? PersistentIdentifier)?.entityName
      return name == Schema.entityName(for: type) ? "\(path).objectID" : nil
    case .archive, .toMany: return nil
    }
  }

  private static func follow(_ keyPath: PartialKeyPath<Model>, notes: ProbeNotes) -> Any? {
    unwrapped(Model(backingData: ProbeBackingData<Model>(notes))[keyPath: keyPath])
  }

  /// Returns whether the key path returns the value of this member and not of another one.
  private static func isElement(
    _ element: CompositeForm.Element, keyPath: PartialKeyPath<Model>
  ) -> Bool {
    guard case .column = element.form else { return false }
    let notes = ProbeNotes()
    notes.element = element
    let value = follow(keyPath, notes: notes)
    return isWhatWasRead(value, sample: notes.sample)
  }

  private static func isRawValue(_ form: EnumerationForm, keyPath: PartialKeyPath<Model>) -> Bool {
    guard case .rawValue = form.storage, let names = Reflection.caseNames(of: form.type) else {
      return false
    }
    return names.indices.allSatisfy { number in
      let notes = ProbeNotes()
      notes.enumerationCase = form.value(numbered: number)
      let value = follow(keyPath, notes: notes)
      return isWhatWasRead(
        value, sample: (notes.enumerationCase as? any RawRepresentable)?.rawValue)
    }
  }

  /// The single property that a key path leads to, whichever class of the tree declares it.
  static func property(of keyPath: PartialKeyPath<Model>) -> ModelProperty? {
    let notes = ProbeNotes()
    let value = follow(keyPath, notes: notes)
    guard notes.properties.count == 1, let property = notes.properties.first,
      property.declaredType == type(of: keyPath).valueType,
      property.kind != .column || isWhatWasRead(value, sample: notes.sample)
    else { return nil }
    return property
  }

  /// Returns whether the key path returned the sample unchanged, which a computed property would
  /// not.
  private static func isWhatWasRead(_ value: Any?, sample: Any?) -> Bool {
    guard let value = value as? any Hashable, let sample = sample as? any Hashable else {
      return false
    }
    return AnyHashable(value) == AnyHashable(sample)
  }
}

extension PartialKeyPath where Root: PersistentModel {
  /// Whether the key path is `persistentModelID`, or `id` where the class declares no property of
  /// that name.
  var isIdentifier: Bool {
    self == \Root.persistentModelID || self == \Root.id as KeyPath<Root, PersistentIdentifier>
  }
}

private final class ProbeNotes {
  var properties: [ModelProperty] = []
  /// The value of the last property read, or of its member.
  var sample: Any?
  /// The one member of a structure that gets a distinctive value.
  var element: CompositeForm.Element?
  /// The value that an enumeration property returns.
  var enumerationCase: Any?
}

/// Backing data of the probe model: records reads, has no values, ignores writes.
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
    let found = value(of: property)
    let value = found as? Value ?? property.missingValue(as: type)
    if notes.element == nil { notes.sample = unwrapped(value) }
    return value
  }

  private func value(of property: ModelProperty) -> Any? {
    switch property.form {
    case .toOne(let type): return probe(type)
    case .attribute: return sample(property.valueForm, type: property.valueType)
    case .enumeration: return notes.enumerationCase ?? property.valueForm?.zero
    case .composite(let form):
      guard let element = notes.element else { return property.valueForm?.zero }
      notes.sample = sample(element.form, type: element.type)
      return form.value([element.name: notes.sample.flatMap(element.form.boxed) as Any])
    default: return property.valueForm?.zero
    }
  }

  /// A distinctive value, which a computed property is unlikely to return.
  private func sample(_ form: ValueForm?, type: any Any.Type) -> Any? {
    switch type {
    case is String.Type: "\u{F0000}sample"
    case is Double.Type: 104_729.125
    case is Float.Type: Float(7919.5)
    case is Bool.Type: true
    case is Date.Type: Date(timeIntervalSinceReferenceDate: 104_729.125)
    case let number as any FixedWidthInteger.Type: 101.made(as: number)
    default: form?.zero
    }
  }

  private func probe<Other: PersistentModel>(_ type: Other.Type) -> Any {
    Other(backingData: ProbeBackingData<Other>(notes))
  }

  func write<Value>(_ value: Value, property: ModelProperty) {}
  func setRelated(_ value: Any?, property: ModelProperty, of model: any PersistentModel) {}
}

extension Int {
  fileprivate func made<Number: FixedWidthInteger>(as type: Number.Type) -> Any {
    Number(truncatingIfNeeded: self)
  }
}
