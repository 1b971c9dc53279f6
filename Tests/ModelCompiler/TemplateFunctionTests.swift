import Foundation
import Testing

@testable import ModelCompiler

/// What the functions of fetch request templates are called and take.
struct TemplateFunctionTests {
  private static let entities = """
    <entity name="A" representedClassName=".A" codeGenerationType="class">
      <attribute name="text" attributeType="String"/>
      <attribute name="number" attributeType="Integer 32" usesScalarValueType="NO"/>
      <attribute name="price" optional="YES" attributeType="Decimal"/>
      <attribute name="day" attributeType="Date" usesScalarValueType="NO"/>
      <relationship name="others" optional="YES" toMany="YES" destinationEntity="B" inverseName="a" inverseEntity="B"/>
    </entity>
    <entity name="B" representedClassName=".B" parentEntity="A" codeGenerationType="class">
      <attribute name="flag" attributeType="Boolean" usesScalarValueType="YES"/>
      <relationship name="a" optional="YES" maxCount="1" destinationEntity="A" inverseName="others" inverseEntity="A"/>
    </entity>
    """

  private func function(_ name: String, _ predicate: String, entity: String = "B") throws -> String
  {
    let escaped = predicate.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
      .replacing("\"", with: "&quot;")
    var target = try TemporaryTarget()
    try target.addModel(
      Self.entities
        + "<fetchRequest name=\"\(name)\" entity=\"\(entity)\" predicateString=\"\(escaped)\"/>")
    defer { target.remove() }
    let model = try SourceModel(url: target.compilation.models[0], moduleName: "App")
    let text = try ClassGenerator(models: [model], moduleName: "App").text().text
    let start = try #require(text.range(of: "class func fetchT"))
    return text[start.lowerBound...].prefix { $0 != "{" }.split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
  }

  @Test(arguments: [
    ("text == $x", "x: String"), ("$x = text", "x: String"), ("number >= $x", "x: Int32"),
    ("price < $x", "x: Decimal"), ("a.day > $x", "x: Date"), ("a == $x", "x: A"),
    ("flag != $x", "x: Bool"), ("number IN $x", "x: [Int32]"), ("$x IN others", "x: B"),
    ("others CONTAINS $x", "x: B"), ("text contains[cd] $x", "x: String"),
    ("number BETWEEN $x", "x: [Int32]"),
    ("number BETWEEN {$x, $y}", "x: Int32, y: Int32"), ("text MATCHES $x", "x: String"),
    ("others.@count > $x", "x: Int"), ("unknown == $x", "x: Any"), ("self == $x", "x: Any"),
    ("text == '$y' AND day == $x", "x: Date"), ("text == \"a\\\"$y\" OR day == $x", "x: Date"),
    ("unknown == $x AND text == $x", "x: String"), ("ANY others.flag == $x", "x: Bool"),
    ("SUBQUERY(others, $o, $o.flag == $x).@count > 0", "x: Any"),
    ("text == $in", "`in`: String"),
  ])
  func whatAVariableIsComparedWithGivesItsType(predicate: String, parameters: String) throws {
    #expect(
      try function("t", predicate)
        == "class func fetchT( managedObjectContext: NSManagedObjectContext, \(parameters) ) throws -> [B]"
    )
  }

  @Test func wordsOfANameBecomeOne() {
    #expect(TemplateText.functionName("byName") == "fetchByName")
    #expect(TemplateText.functionName("all the-books") == "fetchAllTheBooks")
  }

  @Test func twoTemplatesOfOneFunctionAreAnError() throws {
    var target = try TemporaryTarget()
    let requests = ["by name", "byName"].map { "<fetchRequest name=\"\($0)\" entity=\"A\"/>" }
    try target.addModel(Self.entities + requests.joined().replacing("by name", with: "by Name"))
    #expect(try target.errors().contains("both become fetchByName"))
  }
}
