// What a user does with a finger, and with the other buttons of the mouse.
extension Browser {
  /// Pulls an element to the left with a finger, by a part of its width; to the right when that is
  /// less than nothing.
  public func swipe(_ selector: Selector, across part: Double) async throws {
    let (x, y, places) = try await way(of: selector, across: part)
    try await performTouch(
      [Self.at(x, y, 0), ["type": "pointerDown", "button": 0]]
        + places.map { Self.at($0, y, 20) } + [["type": "pointerUp", "button": 0]])
  }

  /// Pulls as ``swipe(_:across:)`` does; the finger stays on the page until ``liftFinger()``.
  public func pull(_ selector: Selector, across part: Double) async throws {
    let (x, y, places) = try await way(of: selector, across: part)
    try await touch("touchStart", x, y)
    for place in places { try await touch("touchMove", place, y) }
  }

  public func liftFinger() async throws {
    try await developerCommand("Input.dispatchTouchEvent", ["type": "touchEnd", "touchPoints": []])
  }

  private func touch(_ type: String, _ x: Double, _ y: Double) async throws {
    try await developerCommand(
      "Input.dispatchTouchEvent",
      ["type": .string(type), "touchPoints": [["x": .number(x), "y": .number(y)]]])
  }

  private func way(
    of selector: Selector, across part: Double
  ) async throws -> (x: Double, y: Double, places: [Double]) {
    let box = try await box(of: selector)
    let x = box.left + box.width * (part < 0 ? 0.1 : 0.9)
    return (x, box.top + box.height / 2, (1...6).map { x - box.width * part * Double($0) / 6 })
  }

  /// Keeps a finger on an element until a JavaScript expression is true.
  public func pressLong(_ selector: Selector, until expression: String) async throws {
    // Not by the protocol's actions, whose second long press on a place does not arrive.
    let finger = try await Gesture(.finger, on: selector, in: self)
    try await wait(until: expression)
    try await finger.end()
  }

  /// Clicks with the middle button, which opens a link in another tab.
  public func middleClick(_ selector: Selector) async throws {
    try await on(selector) { element in
      try await perform([
        "type": "pointer", "id": "mouse",
        "actions": [
          Self.move(to: element), ["type": "pointerDown", "button": 1],
          ["type": "pointerUp", "button": 1],
        ],
      ])
    }
  }

  public func hover(_ selector: Selector) async throws {
    try await on(selector) { element in
      try await perform([
        "type": "pointer", "id": "mouse", "actions": [Self.move(to: element)],
      ])
    }
  }

  /// Presses the button of the mouse over an element, and keeps it down.
  public func hold(_ selector: Selector) async throws {
    try await on(selector) { element in
      try await perform([
        "type": "pointer", "id": "mouse",
        "actions": [Self.move(to: element), ["type": "pointerDown", "button": 0]],
      ])
    }
  }

  /// Presses the button of the mouse where it is, and keeps it down.
  public func pressDown() async throws { try await turnButton("pointerDown") }

  /// Lets go of it.
  public func letGo() async throws { try await turnButton("pointerUp") }

  private func turnButton(_ type: String) async throws {
    try await perform([
      "type": "pointer", "id": "mouse", "actions": [["type": .string(type), "button": 0]],
    ])
  }

  private func performTouch(_ actions: [JSONValue]) async throws {
    try await perform([
      "type": "pointer", "id": "finger", "parameters": ["pointerType": "touch"],
      "actions": .array(actions),
    ])
  }

  private static func at(_ x: Double, _ y: Double, _ duration: Double) -> JSONValue {
    [
      "type": "pointerMove", "x": .number(x.rounded()), "y": .number(y.rounded()),
      "duration": .number(duration),
    ]
  }
}
