@testable import ModelCompiler

/// The model of the targets with generated classes: an entity with every attribute, roots and subentities of every
/// form, and one whose attributes are called like Swift's keywords.
enum FamilyModel {
  static var text: String {
    let roots = FamilyTable.forms.map { entity($0.name, $0.codeGenerationType, content: root($0)) }
    let subentities = FamilyTable.forms.flatMap { root in
      FamilyTable.forms.map { form in
        let name = FamilyTable.subentity(form.name, of: root.name)
        return entity(
          name, form.codeGenerationType, parent: root.name,
          content: line("attribute name=\"own\" attributeType=\"String\"")
            + line(toMany("ownParts", of: name, isOrdered: false)))
      }
    }
    return """
      <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
      <!-- Written by FamilyModel.swift. Do not edit. -->
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" sourceLanguage="Swift">
      \((roots + subentities).joined())\(part)\(piece)\(keywords)\(composite)\(templates)</model>

      """
  }

  private static func line(_ text: String, indent: Int = 8, isOpen: Bool = false) -> String {
    String(repeating: " ", count: indent) + "<\(text)\(isOpen ? "" : "/")>\n"
  }

  private static func entity(
    _ name: String, _ form: String?, parent: String? = nil, content: String
  ) -> String {
    let heritage = parent.map { " parentEntity=\"\($0)\"" } ?? ""
    let code = form.map { " codeGenerationType=\"\($0)\"" } ?? ""
    return "    <entity name=\"\(name)\" representedClassName=\".\(name)\"\(heritage)\(code)>\n"
      + content + "    </entity>\n"
  }

  private static func root(_ form: (codeGenerationType: String?, name: String)) -> String {
    let common =
      line("attribute name=\"title\" attributeType=\"String\" defaultValueString=\"none\"")
      + line(
        "attribute name=\"count\" optional=\"YES\" attributeType=\"Integer 64\" usesScalarValueType=\"YES\""
      )
      + line(toMany("many", of: form.name, isOrdered: false))
      + line(toMany("ordered", of: form.name, isOrdered: true))
      + line(toOne("one", of: form.name))
    return form.name == "Whole" ? common + attributes + extras : common
  }

  private static var attributes: String {
    FamilyTable.attributes.map { attribute in
      let kind = attribute.kind
      let text =
        "attribute name=\"\(attribute.name)\"\(attribute.isOptional ? " optional=\"YES\"" : "") "
        + "attributeType=\"\(kind.attributeType)\" usesScalarValueType=\"\(attribute.isScalar ? "YES" : "NO")\""
        + kind.attributes
      return line(text)
    }.joined()
  }

  private static let extras = """
            <attribute name="folded" optional="YES" attributeType="String" derived="YES" derivationExpression="canonical:(title)"/>
            <attribute name="anything" optional="YES" transient="YES" attributeType="Undefined"/>
            <attribute name="colour" attributeType="String" defaultValueString="red">
                <userInfo><entry key="RawType" value="Colour"/></userInfo>
            </attribute>
            <attribute name="size" optional="YES" attributeType="Integer 16" usesScalarValueType="YES">
                <userInfo><entry key="attributeValueScalarType" value="Size"/></userInfo>
            </attribute>
            <fetchedProperty name="namesakes" optional="YES">
                <fetchRequest name="fetchedPropertyFetchRequest" entity="Part" predicateString="name == $FETCH_SOURCE.title"/>
            </fetchedProperty>

    """

  // MARK: - Relationships, and what they lead to

  private static func toMany(_ name: String, of owner: String, isOrdered: Bool) -> String {
    "relationship name=\"\(name)\" optional=\"YES\" toMany=\"YES\"\(isOrdered ? " ordered=\"YES\"" : "") "
      + "deletionRule=\"Nullify\" destinationEntity=\"Part\" inverseName=\"\(name)\(owner)\" inverseEntity=\"Part\""
  }

  private static func toOne(_ name: String, of owner: String) -> String {
    "relationship name=\"\(name)\" optional=\"YES\" maxCount=\"1\" "
      + "deletionRule=\"Nullify\" destinationEntity=\"Part\" inverseName=\"\(name)\(owner)\" inverseEntity=\"Part\""
  }

  private static func inverse(_ name: String, of owner: String) -> String {
    line(
      "relationship name=\"\(name)\(owner)\" optional=\"YES\" maxCount=\"1\" deletionRule=\"Nullify\" "
        + "destinationEntity=\"\(owner)\" inverseName=\"\(name)\" inverseEntity=\"\(owner)\"")
  }

  private static var part: String {
    let roots = FamilyTable.forms.map(\.name)
    let subentities = roots.flatMap { root in
      roots.map { FamilyTable.subentity($0, of: root) }
    }
    let inverses =
      roots.flatMap { root in ["many", "ordered", "one"].map { inverse($0, of: root) } }
      + subentities.map { inverse("ownParts", of: $0) }
    return entity(
      "Part", "class",
      content: line("attribute name=\"id\" optional=\"YES\" attributeType=\"UUID\"")
        + line("attribute name=\"name\" optional=\"YES\" attributeType=\"String\"")
        + inverses.joined()
        + line(
          "relationship name=\"pieces\" optional=\"YES\" toMany=\"YES\" deletionRule=\"Cascade\" "
            + "destinationEntity=\"Piece\" inverseName=\"part\" inverseEntity=\"Piece\""))
  }

  /// Needs values before it can be saved.
  private static let piece = """
        <entity name="Piece" representedClassName=".Piece" codeGenerationType="class">
            <attribute name="label" attributeType="String"/>
            <attribute name="weight" attributeType="Integer 32" usesScalarValueType="YES"/>
            <attribute name="note" optional="YES" attributeType="String"/>
            <relationship name="part" maxCount="1" deletionRule="Nullify" destinationEntity="Part" inverseName="pieces" inverseEntity="Part"/>
        </entity>
        <entity name="SmallPiece" representedClassName=".SmallPiece" parentEntity="Piece" codeGenerationType="class"/>
        <entity name="LargePiece" representedClassName=".LargePiece" parentEntity="Piece" codeGenerationType="class">
            <attribute name="length" attributeType="Double" usesScalarValueType="YES"/>
        </entity>

    """

  static let keywordNames = SwiftName.keywords.subtracting(["self"]).sorted()

  private static var keywords: String {
    entity(
      "Keyworded", "class",
      content: keywordNames.map {
        line("attribute name=\"\($0)\" optional=\"YES\" attributeType=\"String\"")
      }.joined())
  }

  private static let composite = """
        <composite name="Parts">
            <attribute name="part" optional="YES" attributeType="String"/>
        </composite>

    """

  private static let templates = [
    ("byTitle", "Whole", "title == $title", ""),
    ("oneByTitle", "Whole", "title == $title", ""),
    ("inColours", "Whole", "colour IN $colours", ""),
    ("between", "Whole", "count BETWEEN {$low, $high}", ""),
    ("holding", "Whole", "$part IN many", ""),
    ("holdingName", "Whole", "ANY many.name BEGINSWITH[c] $default", ""),
    ("first", "Whole", "", " fetchLimit=\"1\""),
    ("identifiers", "Whole", "many.@count &gt; $least", " resultType=\"1\""),
    ("how many", "Whole", "SUBQUERY(many, $p, $p.name == $name).@count != 0", " resultType=\"4\""),
  ].map { name, entity, predicate, attributes in
    let text = predicate.isEmpty ? "" : " predicateString=\"\(predicate)\""
    return line(
      "fetchRequest name=\"\(name)\" entity=\"\(entity)\"\(text)\(attributes)", indent: 4)
  }.joined()
}
