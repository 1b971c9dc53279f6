import ModelDocuments

/// The names of an entity's properties as constants, for predicates and descriptions.
struct NamesText {
  let code: EntityCode

  var text: String {
    let modifier = code.options.modifier
    // A property that an entity declares again gives one constant.
    let names = Set(code.names.lineage(of: code.entity).flatMap(\.properties).map(\.name)).sorted()
    let lines = names.map { name in
      "    \(modifier)static let \(SwiftName.constant(name)) = \(SwiftName.literal(name))\n"
    }
    return """

      extension \(code.className) {
        /// The names of the properties in the model, inherited ones included.
        \(modifier)enum Keys {
      \(lines.joined())  }
      }

      """
  }
}
