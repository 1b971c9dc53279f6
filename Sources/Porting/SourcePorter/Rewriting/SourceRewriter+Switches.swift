#if PortedSources
  import SwiftSyntax

  extension SourceRewriter {
    /// Enumerations of Core Data that gained cases over time, by their cases' names. With Apple's
    /// frameworks, a switch that lacks such a case compiles with a warning.
    private static let growing: [Set<String>] = [
      [
        "undefinedAttributeType", "integer16AttributeType", "integer32AttributeType",
        "integer64AttributeType", "decimalAttributeType", "doubleAttributeType",
        "floatAttributeType", "stringAttributeType", "booleanAttributeType", "dateAttributeType",
        "binaryDataAttributeType", "UUIDAttributeType", "URIAttributeType",
        "transformableAttributeType", "objectIDAttributeType", "compositeAttributeType",
      ]
    ]

    func completeSwitch(_ node: SwitchExprSyntax) {
      var names: Set<String> = []
      for element in node.cases {
        guard let element = element.as(SwitchCaseSyntax.self),
          let label = element.label.as(SwitchCaseLabelSyntax.self)
        else { return }
        for item in label.caseItems where item.whereClause == nil {
          guard
            let member = item.pattern.as(ExpressionPatternSyntax.self)?.expression
              .as(MemberAccessExprSyntax.self)
          else { return }
          names.insert(member.declName.baseName.plainText)
        }
      }
      guard let all = Self.growing.first(where: { !names.isEmpty && names.isStrictSubset(of: $0) })
      else { return }
      let missing = all.subtracting(names).sorted().joined(separator: ", ")
      edits.insert(
        "@unknown default: fatalError(\(Literal.text("no case of this switch is for one of " + missing))) ",
        at: node.rightBrace.bytes.lowerBound)
    }
  }
#endif
