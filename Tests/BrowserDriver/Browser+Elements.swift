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

  /// Acts on an element that is waited for, and again if it was replaced before the act arrived.
  func on<Answer>(
    _ selector: Selector, _ act: (BrowserElement) async throws -> Answer
  ) async throws -> Answer {
    var answer: Answer?
    try await retrying("\(selector)", unless: { !$0.isOfReplacement }) {
      answer = try await act(find(selector))
      return true
    }
    guard let answer else { throw BrowserError.timedOut(condition: "\(selector)", page: "") }
    return answer
  }

  /// The box of an element in the window, at the same moment as it is found.
  func box(
    of selector: Selector, isScrolledTo: Bool = false
  ) async throws -> (left: Double, top: Double, width: Double, height: Double) {
    let script = """
      const [css, text, isScrolledTo] = arguments;
      const found = [...document.querySelectorAll(css)].find((e) => !text || e.textContent.includes(text));
      if (isScrolledTo) found.scrollIntoViewIfNeeded();
      const { left, top, width, height } = found.getBoundingClientRect();
      return [left, top, width, height].map(String);
      """
    let text = selector.text.map(JSONValue.string) ?? .null
    let box = try await wait(
      for: script, [.string(selector.css), text, .bool(isScrolledTo)], saying: "\(selector)"
    ).strings.compactMap(Double.init)
    return (box[0], box[1], box[2], box[3])
  }

  /// Clicks on an element; when it is replaced before the click arrives, on the one in its place, and when something
  /// lies over it that is about to go, such as an alert that has been answered, once that has gone. One that lies under
  /// a bar is scrolled to the middle, as a hand would: the driver leaves it where any part of it is on the screen.
  public func click(_ selector: Selector) async throws {
    var isScrolled = false
    try await retrying("a click on \(selector)", unless: { !$0.isOfTheMoment }) {
      let element = try await find(selector)
      do {
        try await command("POST", "/element/\(element.id)/click", [:])
      } catch let error as BrowserError where error.isInterception && !isScrolled {
        isScrolled = true
        try await script("arguments[0].scrollIntoView({block: 'center'})", [element.reference])
        return false
      }
      return true
    }
  }

  /// Two clicks, of which the second is the second of a double click however long they take: the driver would count
  /// those half a second apart as two single ones.
  public func doubleClick(_ selector: Selector) async throws {
    let box = try await box(of: selector, isScrolledTo: true)
    let (x, y) = (box.left + box.width / 2, box.top + box.height / 2)
    func send(_ type: String, _ count: Int, isDown: Bool) async throws {
      try await developerCommand(
        "Input.dispatchMouseEvent",
        [
          "type": .string(type), "x": .number(x), "y": .number(y),
          "button": .string(count == 0 ? "none" : "left"), "buttons": .number(isDown ? 1 : 0),
          "clickCount": .number(Double(count)),
        ])
    }
    try await send("mouseMoved", 0, isDown: false)
    for count in 1...2 {
      try await send("mousePressed", count, isDown: true)
      try await send("mouseReleased", count, isDown: false)
    }
  }

  /// Types at the end of a field; `\n` presses Return.
  public func type(_ text: String, into selector: Selector) async throws {
    let keys = text.replacingOccurrences(of: "\n", with: Key.enter.rawValue)
    try await retrying("typing into \(selector)", unless: { !$0.isOfTheMoment }) {
      let element = try await find(selector)
      try await command("POST", "/element/\(element.id)/value", ["text": .string(keys)])
      return true
    }
  }

  /// Drags an element onto another; `down` is how many pixels below its middle.
  public func drag(_ source: Selector, onto target: Selector, down: Int = 0) async throws {
    try await beginDrag(source, onto: target, down: down)
    try await pointer([["type": "pointerUp", "button": 0]])
  }

  /// The button stays down. In the middle of the target the pointer rests for as long as means into it.
  public func beginDrag(_ source: Selector, onto target: Selector, down: Int = 0) async throws {
    try await on(source) { from in
      let to = try await find(target)
      try await pointer(
        [
          Self.move(to: from), ["type": "pointerDown", "button": 0], Self.move(to: to),
          Self.move(to: to, down: down),
        ] + (down == 0 ? [["type": "pause", "duration": 800]] : []))
    }
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
