import ModelDocuments

/// Generates the classes and properties that models request, for the plugin's one file.
///
/// A `codeGenerationType` of "class" yields the class and its properties, "category" the
/// properties, "none" or no value nothing.
struct ClassGenerator {
  /// The generated code.
  struct Result {
    var text = ""
    /// The part of the text that declares types.
    var declarations = ""
    /// The classes to register, whole ones and those in a namespace: by the model's name, without
    /// the module, and by the Swift name.
    var classes: [(modelName: String, className: String)] = []
  }

  let models: [SourceModel]
  let moduleName: String
  var options = CodeOptions()
  /// The top-level names that the target's own files declare.
  var declared: Set<String> = []
  /// The properties that these files give to each class, which are not generated again.
  var properties: [String: Set<String>] = [:]

  func text() throws -> Result {
    var result = Result()
    var owners: [String: String] = [:]
    var namespaces: Set<String> = []
    for model in models {
      let names = names(of: model.current)
      for entity in model.current.entities.sorted(by: { $0.name < $1.name }) {
        guard let kind = try kind(of: entity, model, names: names) else { continue }
        let code = try EntityCode(
          entity, of: model, options: options, names: names,
          handWritten: properties[names.path(of: entity).last ?? ""] ?? [])
        if let other = owners.updateValue(entity.name, forKey: code.className) {
          throw ModelFileError.generating(
            model: model.name, entity: entity.name, property: nil,
            "its class \(code.className) is generated for “\(other)” already")
        }
        if let outer = code.namespaces.first { namespaces.insert(outer) }
        // Outside of Xcode nothing is generated: sources may declare what the model asks for.
        generate(
          code, isWhole: kind == "class" && !declared.contains(code.className), into: &result)
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

  /// The requested kind of code. Models written by other tools or by hand have "none" where Xcode
  /// writes nothing.
  private static func askedKind(of entity: ModelEntity) -> String? {
    entity.codeGenerationType == "none" ? nil : entity.codeGenerationType
  }

  /// The requested kind of code; nil if none is requested or the entity has no class of its own.
  private func kind(
    of entity: ModelEntity, _ model: SourceModel, names: ClassNames
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
    // A class of the target's own files is registered with these, under the name that it has there.
    if isWhole || !code.namespaces.isEmpty {
      result.classes.append((code.modelName, code.className))
    }
    result.text += PropertiesText(code: code).text
  }
}

extension EntityCode {
  /// The types that enclose the class.
  var namespaces: [String] { names.path(of: entity).dropLast() }

  /// The model's name of the class, without the module.
  var modelName: String {
    let path = names.path(of: entity)
    return path.dropFirst(options.namespace == nil ? 0 : 1).joined(separator: ".")
  }
}

/// The text of a class declaration.
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
  /// An error about a valid model that cannot be translated to Swift.
  static func generating(
    model: String, entity: String, property: String?, _ problem: String
  ) -> ModelFileError {
    ModelFileError(
      file: "\(model).xcdatamodeld", entity: entity, property: property, problem: problem)
  }
}
