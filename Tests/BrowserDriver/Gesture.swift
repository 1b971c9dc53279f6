/// What a user points with.
public enum Pointer: String, CaseIterable, Sendable {
  case mouse, finger
}

/// A finger, or the mouse with its button down, on its way over a page.
public struct Gesture: Sendable {
  private let browser: Browser
  private let pointer: Pointer
  public private(set) var x: Double
  public private(set) var y: Double

  /// Puts a pointer down on an element, at parts of its width and height.
  public init(
    _ pointer: Pointer, on selector: Selector, across: Double = 0.5, down: Double = 0.5,
    in browser: Browser
  ) async throws {
    let box = try await browser.box(of: selector)
    self.browser = browser
    self.pointer = pointer
    x = box.left + across * box.width
    y = box.top + down * box.height
    if pointer == .mouse { try await mouse("mouseMoved", isDown: false) }
    try await send(touch: "touchStart", mouse: "mousePressed")
  }

  /// Moves by so many pixels, in steps as a hand does.
  public mutating func move(x across: Double = 0, y down: Double = 0, steps: Int = 4) async throws {
    for _ in 1...steps {
      x += across / Double(steps)
      y += down / Double(steps)
      try await send(touch: "touchMove", mouse: "mouseMoved")
    }
  }

  public func end() async throws {
    switch pointer {
    case .mouse: try await mouse("mouseReleased", isDown: false)
    case .finger: try await touch("touchEnd", [])
    }
  }

  /// The browser takes the finger for something else, such as a gesture of the system.
  public func cancel() async throws { try await touch("touchCancel", []) }

  /// A second finger taps and moves at another place while this one stays where it is.
  public func tapBeside(x otherX: Double, y otherY: Double) async throws {
    func points(_ down: Double) -> [Point] {
      [Point(id: 0, x: x, y: y), Point(id: 1, x: otherX, y: otherY + down)]
    }
    try await touch("touchStart", points(0))
    for step in 1...4 { try await touch("touchMove", points(Double(step) * 12)) }
    // The fingers that are lifted are named.
    try await touch("touchEnd", [points(48)[1]])
  }

  private func send(touch type: String, mouse other: String) async throws {
    switch pointer {
    case .mouse: try await mouse(other, isDown: true)
    case .finger: try await touch(type, [Point(id: 0, x: x, y: y)])
    }
  }

  /// A finger on the page.
  private struct Point {
    let id: Double
    let x: Double
    let y: Double
  }

  private func touch(_ type: String, _ points: [Point]) async throws {
    let points = points.map { point -> JSONValue in
      ["x": .number(point.x), "y": .number(point.y), "id": .number(point.id)]
    }
    try await browser.developerCommand(
      "Input.dispatchTouchEvent", ["type": .string(type), "touchPoints": .array(points)])
  }

  private func mouse(_ type: String, isDown: Bool) async throws {
    try await browser.developerCommand(
      "Input.dispatchMouseEvent",
      [
        "type": .string(type), "x": .number(x), "y": .number(y), "button": "left",
        "buttons": .number(isDown ? 1 : 0), "clickCount": 1,
      ])
  }
}
