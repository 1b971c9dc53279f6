import ModelDocuments

/// Generates the classes and properties that models ask for.
///
/// `codeGenerationType` "class" gives the class and its properties, "category" the properties, none
/// nothing. The API is the one that Xcode generates.
struct ClassGenerator {
  /// What was generated.
  struct Result {
    var text = ""
    /// The names of whole classes.
    var classNames: [String] = []
  }

  let models: [SourceModel]

  func text() throws -> Result {
    var result = Result()
    var owners: [String: String] = [:]
    for model in models {
      for entity in model.current.entities.sorted(by: { $0.name < $1.name }) {
        try generate(entity, model: model, owners: &owners, into: &result)
      }
    }
    return result
  }

  private func generate(
    _ entity: ModelEntity, model: SourceModel, owners: inout [String: String],
    into result: inout Result
  ) throws {
    let className = ClassName.swiftName(of: entity)
    guard let kind = entity.codeGenerationType, className != ClassName.root else { return }
    let entityName = entity.name
    let parent = ClassName.swiftName(of: entity.parentName, in: model.current)
    guard ["class", "category"].contains(kind) else {
      throw error(model, entityName, "“\(kind)” is not a kind of generated code that is known")
    }
    guard SwiftName.isIdentifier(className) else {
      throw error(model, entityName, "its class name “\(className)” cannot stand in Swift code")
    }
    if let other = owners.updateValue(entityName, forKey: className) {
      throw error(model, entityName, "its class \(className) is generated for “\(other)” already")
    }
    if kind == "class" {
      result.classNames.append(className)
      result.text += classText(of: entity, name: className, parent: parent)
    }
    result.text += try PropertiesText(entity: entity, className: className, model: model).text()
    // A class inherits the conformance, so only the first one of a hierarchy states it.
    if parent == ClassName.root { result.text += "\nextension \(className): Identifiable {}\n" }
  }

  private func classText(of entity: ModelEntity, name: String, parent: String) -> String {
    """

    /// Objects of the entity “\(entity.name)”.
    public class \(name): \(parent) {}

    """
  }

  private func error(_ model: SourceModel, _ entity: String, _ problem: String) -> ModelFileError {
    ModelFileError.generating(model: model.name, entity: entity, property: nil, problem)
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
