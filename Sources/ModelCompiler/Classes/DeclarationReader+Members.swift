// Members of types and extensions, and the types that they name.

extension DeclarationReader {
  // MARK: - Properties

  mutating func properties(_ head: Head) -> [Declaration] {
    let isManaged = head.attributes.contains("NSManaged")
    let unreadable =
      !head.modifiers.isDisjoint(with: ["static", "class"])
      || !head.attributes.isDisjoint(with: ["MainActor", "available"])
    var found: [Declaration] = []
    repeat {
      if cursor.byte == UInt8(ascii: ",") { cursor.advance() }
      cursor.skipTrivia()
      let place = place()
      guard let name = cursor.name() else { break }
      let afterName = cursor.position
      cursor.skipTrivia()
      var type = ""
      if cursor.byte == UInt8(ascii: ":") {
        cursor.advance()
        cursor.skipTrivia()
        type = typeText()
      } else {
        cursor.move(to: afterName)
      }
      let isPlain = skipAccessors()
      if head.modifiers.contains("static") || head.modifiers.contains("class"),
        Declaration.key(in: name, behind: "keyPathsForValuesAffecting") != nil,
        type == "Set<String>",
        head.attributes.isDisjoint(with: ["MainActor", "available"])
      {
        found.append(
          Declaration(
            .keyPathsAffecting(isFunction: false), name: name, access: head.access, place: place))
      } else if isManaged {
        found.append(
          Declaration(.managedProperty, name: name, access: head.access, detail: type, place: place)
        )
      } else if isPlain, !unreadable {
        found.append(Declaration(.readableProperty, name: name, access: head.access, place: place))
      }
    } while cursor.byte == UInt8(ascii: ",")
    return found
  }

  /// Skips the block after a property, if any. Returns true if a getter has no `async` and no
  /// `throws`, and does more than read a property of the model.
  private mutating func skipAccessors() -> Bool {
    var ahead = cursor
    ahead.skipTrivia()
    guard ahead.byte == UInt8(ascii: "{") else { return true }
    cursor = ahead
    ahead.advance()
    ahead.skipTrivia()
    let inside = ahead
    var isPlain = true
    if ahead.name() == "get" {
      ahead.skipTrivia()
      if let effect = ahead.name(), ["async", "throws"].contains(effect) { isPlain = false }
    } else {
      ahead = inside
    }
    cursor.skipBrackets()
    return isPlain && !Self.isModelled(&ahead)
  }

  /// Returns true if a getter consists of `managedValue(…)`: key-value coding finds such a property
  /// in the model.
  private static func isModelled(_ cursor: inout SourceCursor) -> Bool {
    cursor.skipTrivia()
    if cursor.byte == UInt8(ascii: "{") { cursor.advance() }
    cursor.skipTrivia()
    guard let name = cursor.name(), ["managedValue", "managedMembers"].contains(name) else {
      return false
    }
    guard cursor.byte == UInt8(ascii: "(") else { return false }
    cursor.skipBrackets()
    cursor.skipTrivia()
    return cursor.byte == UInt8(ascii: "}")
  }

  /// The type that starts at the cursor, up to the first token that cannot continue it.
  mutating func typeText() -> String {
    let start = cursor.position
    var end = start
    while true {
      let hasNewLine = cursor.skipTrivia()
      guard !cursor.isAtEnd, !"={},;)".utf8.contains(cursor.byte) else { break }
      let goesOn = ".&?!-<".utf8.contains(cursor.byte)
      if hasNewLine, !goesOn, end != start { break }
      if cursor.byte == UInt8(ascii: "<") { skipAngles() } else { cursor.skipPiece() }
      end = cursor.position
    }
    cursor.move(to: end)
    return line(from: start)
  }

  mutating func skipAngles() {
    var depth = 0
    repeat {
      switch cursor.byte {
      case UInt8(ascii: "<"): depth += 1
      case UInt8(ascii: "-") where cursor.byte(after: 1) == UInt8(ascii: ">"): cursor.advance()
      case UInt8(ascii: ">"): depth -= 1
      default: break
      }
      if depth > 0, !"<>-".utf8.contains(cursor.byte) {
        cursor.skipPiece()
      } else {
        cursor.advance()
      }
      if depth > 0 { cursor.skipTrivia() }
    } while depth > 0 && !cursor.isAtEnd && cursor.byte != UInt8(ascii: "}")
  }

  // MARK: - Functions

  mutating func managedFunction(_ head: Head) -> [Declaration] {
    let place = place()
    cursor.skipTrivia()
    guard let name = cursor.name() else { return [] }
    let start = cursor.position
    cursor.skipTrivia()
    guard cursor.byte == UInt8(ascii: "(") else { return [] }
    cursor.skipBrackets()
    let parameters = cursor.position
    if cursor.skipTrivia(), cursor.byte != UInt8(ascii: "-") { cursor.move(to: parameters) }
    if cursor.byte == UInt8(ascii: "-") { _ = typeText() }
    let detail = line(from: start)
    return [
      Declaration(.managedFunction, name: name, access: head.access, detail: detail, place: place)
    ]
  }

  /// A function that Objective-C's runtime finds by its name; nothing for other functions.
  mutating func namedFunction(_ head: Head) -> [Declaration] {
    let place = place()
    cursor.skipTrivia()
    guard let name = cursor.name() else { return [] }
    if head.modifiers.contains("override") {
      if name == "observeValue" { lastObserver = place }
      if name == "didTurnIntoFault" { faultOverride = place }
    } else if Self.listCallbacks.contains(name) {
      return listCallback(name, head, place)
    }
    let isOfClass = !head.modifiers.isDisjoint(with: ["static", "class"])
    let prefix = isOfClass ? "keyPathsForValuesAffecting" : "validate"
    guard Declaration.key(in: name, behind: prefix) != nil, !head.attributes.contains("available")
    else { return [] }
    cursor.skipTrivia()
    guard cursor.byte == UInt8(ascii: "(") else { return [] }
    let start = cursor.position
    cursor.skipBrackets()
    let parameters = cursor.text(from: start).filter { !$0.isWhitespace }
    var ahead = cursor
    ahead.skipTrivia()
    let effect = ahead.name()
    guard let kind = kind(ofParameters: parameters, effect, isOfClass: isOfClass) else { return [] }
    let method = Declaration(kind, name: name, access: head.access, place: place)
    if method.isPrivate { noteUnfound(method, head.access) }
    guard !head.attributes.contains("MainActor") else {
      noteUnfound(method, "on the main actor")
      return []
    }
    return [method]
  }

  /// Records a method whose name and parameters are those of one that is found by its name.
  mutating func noteUnfound(_ method: Declaration, _ why: String) {
    guard case .validation = method.kind else { return }
    unfoundMethods.append(
      (
        method.place,
        "\(method.name)(_:) is \(why), so that nobody calls it when the value is checked: methods "
          + "that are found by their names are internal or public, and belong to no actor"
      ))
  }

  private static let listCallbacks: Set<String> = [
    "controller", "controllerWillChangeContent", "controllerDidChangeContent",
  ]

  /// A method of a fetched results controller's delegate; nothing for others of the same name.
  private mutating func listCallback(
    _ name: String, _ head: Head, _ place: SourcePlace
  ) -> [Declaration] {
    cursor.skipTrivia()
    guard cursor.byte == UInt8(ascii: "("),
      head.modifiers.isDisjoint(with: ["static", "class"])
    else { return [] }
    let start = cursor.position
    cursor.skipBrackets()
    let parameters = cursor.text(from: start)
    guard parameters.contains("NSFetchedResultsController") else { return [] }
    return [Declaration(.listCallback, name: name, detail: parameters, place: place)]
  }

  /// The kind of a function, by its signature; nil if it is not called by name, here or on Apple's
  /// systems.
  private mutating func kind(
    ofParameters parameters: String, _ effect: String?, isOfClass: Bool
  ) -> Declaration.Kind? {
    if isOfClass {
      guard parameters == "()", effect == nil else { return nil }
      var ahead = cursor
      ahead.skipTrivia()
      guard ahead.byte == UInt8(ascii: "-") else { return nil }
      let result = typeText().filter { !$0.isWhitespace }
      return result == "->Set<String>" ? .keyPathsAffecting(isFunction: true) : nil
    }
    guard effect != "async", parameters.hasPrefix("(_"),
      parameters.hasSuffix(":AutoreleasingUnsafeMutablePointer<AnyObject?>)")
    else { return nil }
    return .validation(throwing: effect == "throws")
  }

  mutating func initializer(_ head: Head) -> [Declaration] {
    let place = place()
    while cursor.byte == UInt8(ascii: "?") || cursor.byte == UInt8(ascii: "!") { cursor.advance() }
    cursor.skipTrivia()
    if cursor.byte == UInt8(ascii: "<") { skipAngles() }
    guard cursor.byte == UInt8(ascii: "("), !head.modifiers.contains("convenience") else {
      return []
    }
    let start = cursor.position
    cursor.skipBrackets()
    let labels = cursor.text(from: start).split(separator: ",").map { part in
      part.prefix { $0 != ":" }.filter { $0 != "(" }.split(whereSeparator: \.isWhitespace).first
    }
    let makesObjects = labels == ["entity", "insertInto"]
    return [
      Declaration(
        .initializer(
          makesObjects: makesObjects && !["private", "fileprivate"].contains(head.access)),
        name: "init", place: place)
    ]
  }
}
