import Synchronization

extension KeyPathName {
  /// The name of a path whose properties are all registered: `\Shelf.owner?.name`. Nil otherwise.
  ///
  /// Relies on Swift describing a property by its getter, with equal text in every path of the
  /// module.
  static func registeredPath(of keyPath: AnyKeyPath) -> String? {
    let type = Swift.type(of: keyPath)
    guard let steps = steps(of: keyPath), steps.count > 1 else { return nil }
    var names: [String] = []
    var owner: Any.Type = type.rootType
    for step in steps {
      guard let property = RegisteredSteps.property(step, of: owner) else { return nil }
      names.append(property.name)
      owner = (property.type as? any WrappingType.Type)?.wrappedType ?? property.type
    }
    return names.joined(separator: ".")
  }

  /// Swift's description of each property of a path.
  fileprivate static func steps(of keyPath: AnyKeyPath) -> [String]? {
    let text = "\(keyPath)"
    let root = "\\\(type(of: keyPath).rootType)."
    guard text.hasPrefix(root) else { return nil }
    var depth = 0
    var steps = [""]
    for character in text.dropFirst(root.count) {
      switch character {
      case "(": depth += 1
      case ")": depth -= 1
      default: break
      }
      if character == ".", depth == 0 {
        steps.append("")
      } else if depth > 0 || (character != "?" && character != "!") {
        steps[steps.count - 1].append(character)
      }
    }
    return steps
  }
}

/// The registered properties, by Swift's description of them.
enum RegisteredSteps {
  struct Property: @unchecked Sendable {
    // Unchecked because of the metatype; both fields are constants and metatypes never change.
    let name: String
    let type: Any.Type
  }

  private struct Step: Hashable {
    let owner: ObjectIdentifier
    let text: String
  }

  /// A key path whose description is not known yet. Unchecked because of the key path: it is
  /// immutable, and only described here.
  private struct Registered: @unchecked Sendable {
    let keyPath: AnyKeyPath
    let name: String
  }

  private struct State {
    /// Key paths without a description: describing takes time that a program need not spend before
    /// `main`.
    var undescribed: [Registered] = []
    var steps: [Step: Property] = [:]
  }

  private static let state = Mutex(State())

  static func add(_ keyPath: AnyKeyPath, name: String) {
    let registered = Registered(keyPath: keyPath, name: name)
    state.withLock { $0.undescribed.append(registered) }
  }

  static func property(_ step: String, of owner: Any.Type) -> Property? {
    state.withLock { state in
      for registered in state.undescribed {
        guard let text = KeyPathName.steps(of: registered.keyPath), text.count == 1 else {
          continue
        }
        let type = Swift.type(of: registered.keyPath)
        state.steps[Step(owner: ObjectIdentifier(type.rootType), text: text[0])] = Property(
          name: registered.name, type: type.valueType)
      }
      state.undescribed = []
      return state.steps[Step(owner: ObjectIdentifier(owner), text: step)]
    }
  }
}

private protocol WrappingType {
  static var wrappedType: Any.Type { get }
}

extension Optional: WrappingType {
  fileprivate static var wrappedType: Any.Type { Wrapped.self }
}
