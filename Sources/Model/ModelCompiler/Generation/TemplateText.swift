import ModelDocuments

/// The functions of an entity's fetch request templates.
///
/// Names follow mogenerator and SwiftGen: `fetchByName(managedObjectContext:name:)` for a template
/// `byName` with a variable `$name`. A template whose name begins with "one", or whose limit is
/// one, gives one object or nil.
struct TemplateText {
  let code: EntityCode

  var text: String {
    guard !code.templates.isEmpty else { return "" }
    let functions = code.templates.map { function(Self.functionName($0.name), template: $0) }
    return "\n// MARK: Fetch request templates\nextension \(code.className) {\n"
      + functions.joined(separator: "\n") + "}\n"
  }

  /// The name of the function; characters that are not allowed in names separate words.
  static func functionName(_ template: String) -> String {
    let words = template.split { !($0.isLetter || $0.isNumber || $0 == "_") }
    return "fetch" + words.map { SwiftName.capitalized(String($0)) }.joined()
  }

  private func function(_ name: String, template: ModelFetchRequest) -> String {
    let variables = PredicateVariables(
      predicate: template.predicate ?? "", entityName: template.entityName, names: code.names
    ).variables
    let parameters =
      ["managedObjectContext: NSManagedObjectContext"]
      + variables.map { "\(SwiftName.escaped($0.name)): \($0.type)" }
    let values = variables.map { "\(SwiftName.literal($0.name)): \(SwiftName.escaped($0.name))" }
    let table = values.isEmpty ? "[:]" : "[\(values.joined(separator: ", "))]"
    let (type, body) = result(
      of: template, arguments: "\(SwiftName.literal(template.name)), \(table)")
    return """
        /// What the fetch request template “\(template.name)” finds.
        \(code.options.modifier)class func \(name)(
          \(parameters.joined(separator: ", "))
        ) throws -> \(type) {
          \(body)
        }

      """
  }

  private func result(
    of template: ModelFetchRequest, arguments: String
  ) -> (type: String, body: String) {
    if template.resultType == Self.count {
      return ("Int", "try managedCount(template: \(arguments), in: managedObjectContext)")
    }
    let element = Self.elements[template.resultType] ?? code.className
    if template.name.hasPrefix("one") || template.limit == 1 {
      let call = "managedFetch(template: \(arguments), isOne: true, in: managedObjectContext)"
      return ("\(element)?", "let found: [\(element)] = try \(call)\n    return found.first")
    }
    return ("[\(element)]", "try managedFetch(template: \(arguments), in: managedObjectContext)")
  }

  /// Numbers of `NSFetchRequestResultType`; 0 means objects.
  private static let count: UInt = 4
  private static let elements: [UInt: String] = [1: "NSManagedObjectID", 2: "NSDictionary"]
}
