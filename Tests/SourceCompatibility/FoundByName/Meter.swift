import CoreData

enum Unit: String { case watt, volt }

/// Sets the values of its entity by setters of its own, in the forms that public code has.
class Meter: NSManagedObject {
  /// The keys whose setters were called.
  private(set) var calls: [String] = []

  /// A scalar, with primitive values.
  var level: Int16 {
    get {
      willAccessValue(forKey: "level")
      defer { didAccessValue(forKey: "level") }
      return primitiveValue(forKey: "level") as? Int16 ?? 0
    }
    set {
      calls.append("level")
      willChangeValue(forKey: "level")
      defer { didChangeValue(forKey: "level") }
      setPrimitiveValue(min(newValue, 100), forKey: "level")
    }
  }

  /// An optional text.
  var title: String? {
    get { primitiveValue(forKey: "title") as? String }
    set(given) {
      calls.append("title")
      willChangeValue(forKey: "title")
      setPrimitiveValue(given?.trimmingCharacters(in: .whitespaces), forKey: "title")
      didChangeValue(forKey: "title")
    }
  }

  /// A case of the stored text.
  var unit: Unit {
    get { (primitiveValue(forKey: "unit") as? String).flatMap(Unit.init) ?? .watt }
    set {
      calls.append("unit")
      willChangeValue(forKey: "unit")
      setPrimitiveValue(newValue.rawValue, forKey: "unit")
      didChangeValue(forKey: "unit")
    }
  }

  /// A to-one relationship.
  var owner: Meter? {
    get { primitiveValue(forKey: "owner") as? Meter }
    set {
      calls.append("owner")
      willChangeValue(forKey: "owner")
      setPrimitiveValue(newValue, forKey: "owner")
      didChangeValue(forKey: "owner")
    }
  }

  /// A to-many relationship, of the type that Swift has for it.
  var parts: Set<Meter> {
    get { primitiveValue(forKey: "parts") as? Set<Meter> ?? [] }
    set {
      calls.append("parts")
      willChangeValue(forKey: "parts")
      setPrimitiveValue(newValue as NSSet, forKey: "parts")
      didChangeValue(forKey: "parts")
    }
  }

  /// Sets its own key, so that nobody else may call it for that.
  var size: Double {
    get { primitiveValue(forKey: "size") as? Double ?? 0 }
    set {
      calls.append("size")
      setValue(newValue * 10, forKey: "size")
    }
  }

  /// Not to be set.
  var label: String { primitiveValue(forKey: "label") as? String ?? "none" }

  /// No property of the model.
  var double: Int {
    get { Int(level) * 2 }
    set { level = Int16(newValue / 2) }
  }

  /// No property of the model, and stored.
  var remark = "" { didSet { calls.append("remark") } }

  @NSManaged var note: String?
}

/// Has its superclass's setters, and one of a managed property.
class FineMeter: Meter {
  override var note: String? {
    didSet { settings += 1 }
  }

  var settings = 0
}
