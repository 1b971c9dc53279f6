#if SwiftData
  import SwiftDiagnostics
  import SwiftSyntax

  /// A diagnostic for a model's source: the mistake, and the correction.
  struct Complaint: DiagnosticMessage {
    let message: String
    let severity: DiagnosticSeverity
    private let name: String

    private init(_ name: String, severity: DiagnosticSeverity, message: String) {
      self.name = name
      self.severity = severity
      self.message = message
    }

    var diagnosticID: MessageID { MessageID(domain: "SwiftData", id: name) }

    func at(_ node: some SyntaxProtocol) -> Diagnostic {
      Diagnostic(node: Syntax(node), message: self)
    }
  }

  // MARK: - The class

  extension Complaint {
    static func notAClass(_ kind: String, name: String) -> Self {
      Complaint(
        "notAClass", severity: .error,
        message:
          "@Model makes models of classes, and '\(name)' is \(kind): declare it as 'final class \(name)'"
      )
    }

    static func noInitializer(_ name: String) -> Self {
      Complaint(
        "noInitializer", severity: .error,
        message: "@Model requires an initializer be provided for '\(name)'")
    }

    static func inherits(_ name: String, from base: String) -> Self {
      Complaint(
        "inherits", severity: .error,
        message:
          "a model inherits from another model or from no class, and '\(name)' inherits from '\(base)': remove it"
      )
    }

    static func generic(_ name: String) -> Self {
      Complaint(
        "generic", severity: .error,
        message:
          "a model class is one entity of a schema, so '\(name)' cannot be generic: declare a class for each type"
      )
    }

    static func notAnActor(_ name: String) -> Self {
      Complaint(
        "notAnActor", severity: .error,
        message: "@ModelActor gives an actor a context of its own: declare '\(name)' as an actor")
    }

    static func several(_ macro: String, name: String) -> Self {
      Complaint(
        "several", severity: .error,
        message:
          "a model has one #\(macro): add these key paths, as arrays of their own, to the first #\(macro) of '\(name)'"
      )
    }

    static func notKeyPaths(_ macro: String, arrays: String) -> Self {
      Complaint(
        "notKeyPaths", severity: .error,
        message:
          "#\(macro) is read before the program runs, so it takes key path literals in array literals: \(arrays)"
      )
    }
  }

  // MARK: - Its properties

  extension Complaint {
    static func lazy(_ name: String) -> Self {
      Complaint(
        "lazy", severity: .error,
        message:
          "'\(name)' cannot be lazy, since its value comes from the store: give it a default value, or mark it @Transient"
      )
    }

    static func weak(_ name: String, word: String) -> Self {
      Complaint(
        "weak", severity: .error,
        message:
          "'\(name)' cannot be \(word): a relationship holds its models through the context; remove '\(word)', or mark it "
          + "@Transient")
    }

    static func severalNames(_ names: [String]) -> Self {
      Complaint(
        "severalNames", severity: .error,
        message: "each persisted property has a declaration of its own: write one 'var' each for "
          + names.map { "'\($0)'" }.joined(separator: ", "))
    }

    static let tuple = Complaint(
      "tuple", severity: .error,
      message: "a persisted property has one name: write one 'var' for each element of the tuple")

    static func constant(_ name: String) -> Self {
      Complaint(
        // In Swift 6 mode the compiler itself reports an error.
        "constant", severity: .warning,
        message:
          "'\(name)' is a 'let' whose value is read from the store, which Swift 6 does not allow: declare it as "
          + "'private(set) var \(name)'"
      )
    }

    static func missingType(_ name: String) -> Self {
      Complaint(
        "missingType", severity: .error,
        message: "'\(name)' needs a type or an initial value: the schema is made from it")
    }

    static func wrapped(_ name: String, wrapper: String) -> Self {
      Complaint(
        "wrapped", severity: .error,
        message:
          "'\(name)' is persisted, and its storage '_\(name)' is the model's: remove '@\(wrapper)', or mark the property "
          + "@Transient")
    }

    static func observed(_ name: String, observer: String) -> Self {
      Complaint(
        "observed", severity: .warning,
        message:
          "'\(observer)' of the persisted property '\(name)' is not called: values also change by fetch, merge and undo; "
          + "observe the model, or set a private property from a computed one")
    }

    static func reserved(_ name: String, why: String) -> Self {
      Complaint(
        "reserved", severity: .error,
        message:
          "a persisted property cannot be named '\(name)', which is \(why): choose another name, and "
          + "'@Attribute(originalName:)' if a store has the old one")
    }

    static func transientWithoutDefault(_ name: String) -> Self {
      Complaint(
        "transientWithoutDefault", severity: .error,
        message:
          "'\(name)' is @Transient, so that a fetched model has no value for it: give it a default value"
      )
    }

    static func computed(_ name: String, attribute: String) -> Self {
      Complaint(
        "computed", severity: .error,
        message: "'\(name)' is computed and not persisted: remove '@\(attribute)'")
    }

    static func attributeAndRelationship(_ name: String) -> Self {
      Complaint(
        "attributeAndRelationship", severity: .error,
        message:
          "'\(name)' is either an attribute or a relationship: remove '@Attribute' or '@Relationship'"
      )
    }

    static func inverseNotKeyPath(_ name: String) -> Self {
      Complaint(
        "inverseNotKeyPath", severity: .error,
        message:
          "the inverse of '\(name)' is read before the program runs: write it as a key path literal, \\Other.property"
      )
    }

    static func notAProperty(_ attribute: String) -> Self {
      Complaint(
        "notAProperty", severity: .error,
        message: "@\(attribute) belongs to a stored property of a @Model class")
    }
  }
#endif
