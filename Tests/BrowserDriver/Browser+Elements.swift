import Foundation

/// An element of a page, as WebDriver names it.
public struct BrowserElement: Sendable {
  static let key = "element-6066-11e4-a52e-4f735466cecf"
  let id: String
  var reference: JSONValue { [Self.key: .string(id)] }
}

/// How an element is found: by a CSS selector, and by the text that it contains when one is given.
public struct Selector: Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  let css: String
  let text: String?

  public init(stringLiteral value: String) { self.init(value) }

  public init(_ css: String, containing text: String? = nil) {
    self.css = css
    self.text = text
  }

  public var description: String { text.map { "\(css) with “\($0)”" } ?? css }
}

extension Browser {
  /// The first element that matches, waited for.
  public func find(_ selector: Selector) async throws -> BrowserElement {
    let script = """
      const [css, text] = arguments;
      return [...document.querySelectorAll(css)].find((e) => !text || e.textContent.includes(text));
      """
    let arguments: [JSONValue] = [
      .string(selector.css), selector.text.map(JSONValue.string) ?? .null,
    ]
    let found = try await wait(for: script, arguments, saying: "\(selector)")
    guard let id = found[BrowserElement.key]?.string else {
      throw BrowserError.refused(command: "finding \(selector)", answer: "\(found)")
    }
    return BrowserElement(id: id)
  }

  /// Clicks on an element; when it is replaced before the click arrives, on the one in its place. One that lies under
  /// a bar is scrolled to the middle, as a hand would: the driver leaves it where any part of it is on the screen.
  public func click(_ selector: Selector, mayScroll: Bool = true) async throws {
    let element = try await find(selector)
    do {
      try await command("POST", "/element/\(element.id)/click", [:])
    } catch BrowserError.refused(_, let answer) where answer.contains("stale element reference") {
      try await click(selector, mayScroll: mayScroll)
    } catch BrowserError.refused(_, let answer)
      where mayScroll && answer.contains("element click intercepted")
    {
      _ = try await script(
        "arguments[0].scrollIntoView({block: 'center'})",
        [.object([BrowserElement.key: .string(element.id)])])
      try await click(selector, mayScroll: false)
    }
  }

  public func doubleClick(_ selector: Selector) async throws {
    let element = try await find(selector)
    try await pointer(
      [Self.move(to: element)]
        + ["pointerDown", "pointerUp", "pointerDown", "pointerUp"].map {
          ["type": .string($0), "button": 0]
        })
  }

  /// Types at the end of a field; `\n` presses Return.
  public func type(_ text: String, into selector: Selector) async throws {
    let element = try await find(selector)
    let keys = text.replacingOccurrences(of: "\n", with: Key.enter.rawValue)
    try await command("POST", "/element/\(element.id)/value", ["text": .string(keys)])
  }

  /// Drags an element onto another; `down` is how many pixels below its middle.
  public func drag(_ source: Selector, onto target: Selector, down: Int = 0) async throws {
    let from = try await find(source)
    let to = try await find(target)
    try await pointer([
      Self.move(to: from), ["type": "pointerDown", "button": 0], Self.move(to: to),
      Self.move(to: to, down: down), ["type": "pointerUp", "button": 0],
    ])
  }

  static func move(to element: BrowserElement, down: Int = 0) -> JSONValue {
    [
      "type": "pointerMove", "origin": element.reference, "x": 0, "y": .number(Double(down)),
      "duration": 60,
    ]
  }

  private func pointer(_ actions: [JSONValue]) async throws {
    try await perform(["type": "pointer", "id": "mouse", "actions": .array(actions)])
  }

  func perform(_ source: JSONValue) async throws {
    try await command("POST", "/actions", ["actions": [source]])
  }

  /// The texts of all elements that match.
  public func texts(_ css: String) async throws -> [String] {
    try await script(
      "return [...document.querySelectorAll(arguments[0])].map((e) => e.textContent)",
      [.string(css)]
    ).strings
  }
}
