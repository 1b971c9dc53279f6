import Testing

@testable import SourcePorter

/// Names as the compiler makes them on Apple's systems.
@Suite struct SelectorNameTests {
  @Test(arguments: [
    ("go", [], false, "go"), ("go", ["_"], false, "go:"),
    ("move", ["to"], false, "moveTo:"), ("show", ["title"], false, "showWithTitle:"),
    ("show", ["_", "animated"], false, "show:animated:"),
    ("show", ["_", "_"], false, "show::"),
    ("showFrom", ["title"], false, "showFromTitle:"),
    ("save", ["toDisk"], false, "saveToDisk:"), ("save", [], true, "saveAndReturnError:"),
    ("validateName", ["_"], true, "validateName:error:"),
    ("load", ["url"], true, "loadWithUrl:error:"),
  ]) func method(base: String, labels: [String], isThrowing: Bool, expected: String) {
    #expect(SelectorName.method(base, labels: labels, isThrowing: isThrowing) == expected)
  }

  @Test func setter() {
    #expect(SelectorName.setter(of: "title") == "setTitle:")
    #expect(SelectorName.setter(of: "uRL") == "setURL:")
  }
}
