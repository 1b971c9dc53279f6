import ModelDocuments

/// Generates the classes and properties that models ask for, for the plugin's one file.
///
/// `codeGenerationType` "class" gives the class and its properties, "category" the properties, none and
/// "none" nothing.
struct ClassGenerator {
  /// What was generated.
  struct Result {
    var text = ""
    /// The part of it that declares types.
    var declarations = ""
    /// The classes to be registered, whole ones and those of a namespace: by the model's name for it, without the
    /// module, and by Swift's.
    var classes: [(modelName: String, className: String)] = []
  }

  let models: [SourceModel]
  let moduleName: String
  var options = CodeOptions()
  /// The names that the target's own files declare, outside of any type.
  var declared: Set<String> = []

  func text() throws -> Result {
    var result = Result()
    var owners: [String: String] = [:]
    var namespaces: Set<String> = []
    for model in models {
      let names = names(of: model.current)
      for entity in model.current.entities.sorted(by: { $0.name < $1.name }) {
        guard let kind = try kind(of: entity, model, names) else { continue }
        let code = try EntityCode(entity, of: model, options: options, names: names)
        if let other = owners.updateValue(entity.name, forKey: code.className) {
          throw ModelFileError.generating(
            model: model.name, entity: entity.name, property: nil,
            "its class \(code.className) is generated for “\(other)” already")
        }
        if let outer = code.namespaces.first { namespaces.insert(outer) }
        generate(code, isWhole: kind == "class", into: &result)
      }
    }
    let missing = namespaces.subtracting(declared).sorted()
    let outer = missing.map { "\n\(options.modifier)enum \(SwiftName.escaped($0)) {}\n" }.joined()
    result.text = outer + result.text
    result.declarations = outer + result.declarations
    return result
  }

  private func names(of document: ModelDocument) -> ClassNames {
    ClassNames(
      entities: document.entitiesByName, moduleName: moduleName, namespace: options.namespace,
      isGenerated: { Self.askedKind(of: $0) != nil })
  }

  /// Models that other tools have written, and some that people have, say “none” where Xcode says nothing.
  private static func askedKind(of entity: ModelEntity) -> String? {
    entity.codeGenerationType == "none" ? nil : entity.codeGenerationType
  }

  /// nil where nothing is asked for.
  private func kind(
    of entity: ModelEntity, _ model: SourceModel, _ names: ClassNames
  ) throws -> String? {
    guard let kind = Self.askedKind(of: entity), names.name(of: entity) != ClassNames.root else {
      return nil
    }
    guard ["class", "category"].contains(kind) else {
      throw ModelFileError.generating(
        model: model.name, entity: entity.name, property: nil,
        "“\(kind)” is not a kind of generated code that is known: expected “class”, “category”, or “none”, as where nothing is said"
      )
    }
    return kind
  }

  private func generate(
    _ code: EntityCode, isWhole: Bool, into result: inout Result
  ) {
    if isWhole {
      let text = ClassText(code: code).text
      result.text += text
      result.declarations += text
    }
    // A class of the target's own files is registered with them, by the name that it has there.
    if isWhole || !code.namespaces.isEmpty {
      result.classes.append((code.modelName, code.className))
    }
    result.text += PropertiesText(code: code).text
  }
}

extension EntityCode {
  /// The types around the class.
  var namespaces: [String] { names.path(of: entity).dropLast() }

  /// The model's name of the class, without the module.
  var modelName: String {
    let path = names.path(of: entity)
    return path.dropFirst(options.namespace == nil ? 0 : 1).joined(separator: ".")
  }
}

/// The declaration of a class.
struct ClassText {
  let code: EntityCode

  var text: String {
    let modifier = code.options.modifier
    let name = SwiftName.escaped(code.names.path(of: code.entity).last ?? "")
    let declaration = "\(modifier)class \(name): \(code.superclassName) {}"
    let comment = "/// Objects of the entity “\(code.entity.name)”."
    guard !code.namespaces.isEmpty else { return "\n\(comment)\n\(declaration)\n" }
    return """

      extension \(code.namespaces.joined(separator: ".")) {
        \(comment)
        \(declaration)
      }

      """
  }
}

extension ModelFileError {
  /// An error about a model that reads well but cannot become Swift code.
  static func generating(
    model: String, entity: String, property: String?, _ problem: String
  ) -> ModelFileError {
    ModelFileError(
      file: "\(model).xcdatamodeld", entity: entity, property: property, problem: problem)
  }
}
