// Members of types and extensions, and the types that they name.

extension DeclarationReader {
  // MARK: - Properties

  mutating func properties(_ head: Head, isVariable: Bool) -> [Declaration] {
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
      let access = skipAccessors(isVariable: isVariable)
      if head.modifiers.contains("static") || head.modifiers.contains("class"),
        Declaration.key(in: name, behind: Self.dependency) != nil,
        !head.attributes.contains("available")
      {
        let member = Declaration(
          .keyPathsAffecting(isFunction: false), name: name, access: head.access, place: place)
        if let why = whyUnfound(type, head: head) {
          noteUnfound(member, why: why)
        } else {
          found.append(member)
        }
      } else if isManaged {
        found.append(
          Declaration(.managedProperty, name: name, access: head.access, detail: type, place: place)
        )
      } else if access.isReadable, !unreadable {
        found.append(
          Declaration(
            .readableProperty(isSettable: access.isSettable), name: name, access: head.access,
            place: place))
      }
    } while cursor.byte == UInt8(ascii: ",")
    return found
  }

  /// What key-value coding may do with a property.
  private struct Access {
    var isReadable: Bool
    var isSettable: Bool
  }

  /// Skips the block after a property, if any.
  private mutating func skipAccessors(isVariable: Bool) -> Access {
    var inside = cursor
    inside.skipTrivia()
    guard inside.byte == UInt8(ascii: "{") else {
      return Access(isReadable: true, isSettable: isVariable)
    }
    cursor = inside
    cursor.skipBrackets()
    inside.advance()
    let accessors = Self.accessors(&inside)
    guard !accessors.isEmpty else {
      return Access(isReadable: !Self.consists(inside, of: Self.reading), isSettable: false)
    }
    let getter = accessors.first { $0.word == "get" }
    let setter = accessors.first { $0.word != "get" }
    let isModelled =
      getter.map { Self.consists($0.body, of: Self.reading) } ?? false
      && setter.map { Self.consists($0.body, of: Self.setting) } ?? true
    // One that sets its own key would be called for its own setting.
    let isSettable = setter.map { !$0.setsByKey } ?? false
    return Access(
      isReadable: getter?.hasEffects != true && !isModelled, isSettable: isSettable && !isModelled)
  }

  private struct Accessor {
    let word: String
    let hasEffects: Bool
    /// In front of the first statement.
    let body: SourceCursor
    /// Whether it calls `setValue(_:forKey:)`.
    let setsByKey: Bool
  }

  /// The accessors in a block whose opening brace the cursor has passed; none if it is a getter.
  private static func accessors(_ cursor: inout SourceCursor) -> [Accessor] {
    var found: [Accessor] = []
    cursor.skipTrivia()
    var ahead = cursor
    while let word = ahead.name(), ["get", "set", "willSet", "didSet"].contains(word) {
      ahead.skipTrivia()
      if ahead.byte == UInt8(ascii: "(") { ahead.skipBrackets() }
      ahead.skipTrivia()
      var effects: Set<String> = []
      while let effect = ahead.name() {
        effects.insert(effect)
        ahead.skipTrivia()
      }
      guard ahead.byte == UInt8(ascii: "{") else { break }
      let start = ahead.position
      var body = ahead
      body.advance()
      ahead.skipBrackets()
      found.append(
        Accessor(
          word: word, hasEffects: !effects.isDisjoint(with: ["async", "throws"]), body: body,
          setsByKey: ahead.text(from: start).contains("setValue(")))
      ahead.skipTrivia()
    }
    return found
  }

  /// The functions of generated accessors.
  private static let reading: Set<String> = ["managedValue", "managedMembers"]
  private static let setting: Set<String> = ["setManagedValue", "setManagedMembers"]

  /// Returns true if a block consists of a call of one of these functions: key-value coding finds
  /// such a property in the model.
  private static func consists(_ body: SourceCursor, of functions: Set<String>) -> Bool {
    var cursor = body
    cursor.skipTrivia()
    guard let name = cursor.name(), functions.contains(name), cursor.byte == UInt8(ascii: "(")
    else { return false }
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
      return listCallback(name, head: head, place: place)
    }
    let isOfClass = !head.modifiers.isDisjoint(with: ["static", "class"])
    let prefix = isOfClass ? Self.dependency : "validate"
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
    let why = isOfClass ? whyUnfound(resultText(), head: head) : whyUnfound(head)
    if let why { noteUnfound(method, why: why) }
    // Private ones are read on: they stand in the skeleton of their class.
    return why == nil || method.isPrivate ? [method] : []
  }

  private static let dependency = "keyPathsForValuesAffecting"

  /// Why a method or property of this kind is not called by name; nil if it is.
  private func whyUnfound(_ head: Head) -> String? {
    if ["private", "fileprivate"].contains(head.access) { return head.access }
    return head.attributes.contains("MainActor") ? "on the main actor" : nil
  }

  /// Why a member that names key paths is not called by name, by its type; nil if it is.
  private func whyUnfound(_ type: String, head: Head) -> String? {
    let type = type.filter { !$0.isWhitespace }
    let isSet = ["Set<String>", "Swift.Set<String>", "Set<Swift.String>"].contains(type)
    if let why = whyUnfound(head) { return why }
    return isSet ? nil : type.isEmpty ? "of no written type" : "of the type \(type)"
  }

  /// Records a member whose name and parameters are those of one that is found by its name.
  mutating func noteUnfound(_ member: Declaration, why: String) {
    switch member.kind {
    case .validation:
      unfoundMethods.append(
        (
          member.place,
          "\(member.name)(_:) is \(why), so that nobody calls it when the value is checked: "
            + "methods that are found by their names are internal or public, and belong to no actor"
        ))
    case .keyPathsAffecting:
      unfoundMethods.append(
        (
          member.place,
          "\(member.name) is \(why), so that nobody asks it what the property depends on: such a "
            + "member is internal or public, belongs to no actor, and gives a Set<String>. "
            + "Or override keyPathsForValuesAffectingValue(forKey:)"
        ))
    default: break
    }
  }

  private static let listCallbacks: Set<String> = [
    "controller", "controllerWillChangeContent", "controllerDidChangeContent",
  ]

  /// A method of a fetched results controller's delegate; nothing for others of the same name.
  private mutating func listCallback(
    _ name: String, head: Head, place: SourcePlace
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
  private func kind(
    ofParameters parameters: String, _ effect: String?, isOfClass: Bool
  ) -> Declaration.Kind? {
    if isOfClass {
      return parameters == "()" && effect == nil ? .keyPathsAffecting(isFunction: true) : nil
    }
    guard effect != "async", parameters.hasPrefix("(_"),
      parameters.hasSuffix(":AutoreleasingUnsafeMutablePointer<AnyObject?>)")
    else { return nil }
    return .validation(throwing: effect == "throws")
  }

  /// The type behind an arrow, if there is one.
  private mutating func resultText() -> String {
    var ahead = cursor
    ahead.skipTrivia()
    guard ahead.byte == UInt8(ascii: "-") else { return "Void" }
    return typeText().replacing(/^->\s*/, with: "")
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
    let isOpenToAll =
      !["private", "fileprivate"].contains(head.access) && !head.attributes.contains("unavailable")
    return [
      Declaration(
        .initializer(makesObjects: labels == ["entity", "insertInto"] && isOpenToAll),
        name: "init", place: place)
    ]
  }
}
