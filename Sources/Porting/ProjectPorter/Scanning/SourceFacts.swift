import Foundation

/// The imports, declarations and names of a Swift file on this platform. Read without a parser, for
/// speed: of Swift's grammar only braces, strings, comments and `#if` are understood.
struct SourceFacts {
  struct Import: Hashable {
    let module: String
    let line: Int
  }

  let file: URL
  private(set) var imports: [Import] = []
  /// Top-level types that other files may mention.
  private(set) var types: Set<String> = []
  /// The public ones among `types`.
  private(set) var publicTypes: Set<String> = []
  /// Nested types, and types private to the file.
  private(set) var innerTypes: Set<String> = []
  /// Nested types by their paths, as `Book.Kind`.
  private(set) var paths: Set<String> = []
  /// References in the form of `ScopeReader`, with the first line of each.
  private(set) var references: [String: Int] = [:]
  /// Words that may be types, with the first line of each.
  private(set) var mentions: [String: Int] = [:]
  /// Words after a dot (`memberMentions`) and words that are called (`calls`), with the first line
  /// of each.
  private(set) var memberMentions: [String: Int] = [:]
  private(set) var calls: [String: Int] = [:]
  /// Functions at the top of the file.
  private(set) var functions: Set<String> = []
  /// Members that extensions declare, by the name of the extended type.
  private(set) var extensionMembers: [String: Set<String>] = [:]
  /// Types with managed properties in an extension of this file; the class needs them.
  private(set) var managedExtensions: Set<String> = []
  /// Names of functions, properties and cases at any depth.
  private(set) var names: Set<String> = []
  /// Apple's platforms for which the file has code where Linux gets none.
  private(set) var platformsLeft: Set<String> = []
  /// Types declared only for such platforms, with the platforms.
  private(set) var typesLeft: [String: Set<String>] = [:]
  /// The declarations of the file, and the declarations that contain each word (see
  /// `DeclarationReader.places`).
  private(set) var declarations: [Declaration] = []
  private(set) var places: [String: [Int: Int]] = [:]
  /// Indexes of removed declarations.
  private(set) var leftOut: Set<Int> = []
  /// Words in the heads of declarations, and words in bodies that begin no statement (see
  /// `DeclarationReader`).
  private(set) var heads: [Int: Set<String>] = [:]
  private(set) var insides: [Int: Set<String>] = [:]
  /// Bodies that copies have without what uses some words; without any, all of the body goes.
  private(set) var bodiesLeftOut: [Int: Set<String>] = [:]
  /// Conditions that hold in this file alone, as `os(iOS)`.
  var ownConditions: Set<String> = []
  /// Whether a file with such conditions declares something without them, too.
  var hasCodeForLinux = false
  /// Modules whose imports are removed.
  private(set) var importsLeftOut: Set<String> = []
  /// The line of `@main`, `@UIApplicationMain` or `@NSApplicationMain`.
  private(set) var entryLine: Int?

  var importsCoreData: Bool { imports.contains { ["CoreData", "SwiftData"].contains($0.module) } }
  var importsTests: Bool { imports.contains { ["XCTest", "Testing"].contains($0.module) } }

  init(_ file: URL, conditions: Set<String>) throws {
    let data: Data
    do {
      data = try Data(contentsOf: file)
    } catch {
      throw PortError("\(file.path): the source cannot be read: \(error.localizedDescription)")
    }
    self.init(file, text: Array(data), conditions: conditions)
  }

  init(_ file: URL, text: [UInt8], conditions: Set<String> = []) {
    self.file = file
    var reader = TokenReader(text, conditions: conditions)
    var place = Place()
    var declarations = DeclarationReader()
    var scopes = ScopeReader()
    var parameters = GenericParameterReader()
    while let token = reader.next() {
      declarations.read(token)
      if let parameter = parameters.read(token) { innerTypes.insert(parameter) }
      if let reference = scopes.read(token) {
        note(reference: reference, token.line)
        declarations.note(reference, line: token.line)
      }
      switch token.kind {
      case .open:
        // A function may be called with a trailing closure alone.
        if !place.previous.mayBeType, !Self.beforeBraces.contains(place.previous.text) {
          note(callAt: place)
        }
        place.depth += 1
      case .close: place.leave()
      case .word: note(token, place: &place, reader: &reader)
      case .parenthesis: note(callAt: place)
      default: break
      }
      (place.beforePrevious, place.previous) = (place.previous, token)
    }
    (platformsLeft, typesLeft) = (reader.platformsLeft, reader.typesLeft)
    paths = scopes.types
    names.formUnion(scopes.subscripts)
    (self.declarations, places) = (declarations.declarations, declarations.places)
    (heads, insides) = (declarations.heads, declarations.insides)
  }

  /// The number of tests that remain, and of those that were removed.
  var testCount: Int {
    declarations.indices.count { declarations[$0].isTest && !leftOut.contains($0) }
  }
  var testCountLeftOut: Int { leftOut.count { declarations[$0].isTest } }

  // MARK: - Removed declarations

  /// The facts of the file without some declarations, given by index.
  func leavingOut(_ indexes: Set<Int>, bodies: [Int: Set<String>] = [:]) -> SourceFacts {
    var facts = self
    facts.leftOut = leftOut.union(indexes)
    facts.bodiesLeftOut.merge(bodies) { $0.isEmpty || $1.isEmpty ? [] : $0.union($1) }
    // Members come after their container, so one pass removes them all.
    for (index, declaration) in declarations.enumerated()
    where declaration.container.map(facts.leftOut.contains) ?? false {
      facts.leftOut.insert(index)
    }
    facts.bodiesLeftOut = facts.bodiesLeftOut.filter { !facts.leftOut.contains($0.key) }
    facts.places = Dictionary(
      uniqueKeysWithValues: places.compactMap { word, places in
        let rest = places.filter { index, _ in
          !facts.leftOut.contains(index) && !facts.leavesOut(word, ofBody: index)
        }
        return rest.isEmpty ? nil : (word, rest)
      })
    func isThere(_ word: String) -> Bool { facts.places[word] != nil }
    func left(_ words: [String: Int]) -> [String: Int] {
      words.filter { isThere($0.key) }
        .merging(facts.places.mapValues { $0.values.min()! }.filter { words[$0.key] != nil }) { $1 }
    }
    facts.references = left(references)
    facts.mentions = left(mentions)
    facts.memberMentions = left(memberMentions)
    facts.calls = left(calls)
    let kept = declarations.indices.filter { !facts.leftOut.contains($0) }.compactMap(ownName)
    let names = Set(facts.leftOut.compactMap(ownName)).subtracting(kept)
    for type in extensionMembers.keys { facts.extensionMembers[type]?.subtract(names) }
    facts.types.subtract(names)
    facts.paths = paths.filter { !facts.isLeftOut($0) }
    facts.innerTypes.subtract(names)
    facts.functions.subtract(names)
    facts.names.subtract(names)
    return facts
  }

  /// Returns true if a nested type is removed, itself or with an enclosing declaration.
  private func isLeftOut(_ path: String) -> Bool {
    leftOut.contains { index in
      guard [.type, .anExtension].contains(declarations[index].kind),
        let name = ownPath(index)
      else { return false }
      return path == name || path.hasPrefix(name + ".")
    }
  }

  /// The path of a declaration, as `Book.Kind.shade`, in a type or in an extension.
  func ownPath(_ index: Int) -> String? {
    let container = declarations[index].container.flatMap(ownPath)
    return declarations[index].pathName.map { name in
      container.map { "\($0).\(name)" } ?? name
    }
  }

  /// Whether only imports and types without members remain of the file.
  var isEmptied: Bool {
    if leftOut.isEmpty { return false }
    var isEmpty = declarations.indices.map { leftOut.contains($0) || declarations[$0].isImport }
    // Members come after their container, so containers are visited last.
    for index in declarations.indices.reversed() where !isEmpty[index] {
      let members = declarations.indices.filter { declarations[$0].container == index }
      isEmpty[index] = !members.isEmpty && members.allSatisfy { isEmpty[$0] }
    }
    return !isEmpty.contains(false)
  }

  /// The name of the type that a declaration is a member of.
  func owner(of index: Int) -> String? {
    declarations[index].container.flatMap { declarations[$0].typeName }
  }

  /// Names of removed declarations, as other code mentions them. Members of removed types are not
  /// included: code that names such a member has an instance of the type, obtained through
  /// something that names the type.
  var namesLeftOut: Set<String> {
    Set(leftOut.filter { !goesWithItsType($0) }.compactMap(ownName))
  }

  /// Whether a declaration is a member of a type that is removed, too.
  func goesWithItsType(_ index: Int) -> Bool {
    guard let container = declarations[index].container else { return false }
    return leftOut.contains(container) && declarations[container].kind == .type
      && declarations[index].kind != .type
  }

  func ownName(_ index: Int) -> String? {
    let declaration = declarations[index]
    return [.anExtension, .other].contains(declaration.kind) ? nil : declaration.name
  }

  /// `indexes` and all declarations with the same paths, since copies are made by path; nil if one
  /// of them must stay.
  func namesakes(of indexes: Set<Int>) -> Set<Int>? {
    let paths = Set(indexes.compactMap(path))
    let all = declarations.indices.filter { path(of: $0).map(paths.contains) ?? false }
    let mayGo = all.allSatisfy { index in
      declarations[index].canBeLeftOut(of: declarations[index].container.map { declarations[$0] })
    }
    return mayGo ? indexes.union(all) : nil
  }

  /// The declaration to remove so that the line disappears; nil if only the whole file would do.
  func removable(atLine line: Int) -> Int? {
    let place = declarations.indices.last {
      declarations[$0].line <= line && !leftOut.contains($0)
    }
    guard let index = place.flatMap({ removable(around: $0, []) }) else { return nil }
    return namesakes(of: [index]) == nil ? nil : index
  }

  /// The line where the declaration with a path begins; nil if there is none.
  func line(of path: String) -> Int? {
    declarations.indices.first { self.path(of: $0) == path }.map { declarations[$0].line }
  }

  func removable(around place: Int, _ words: some Collection<String>) -> Int? {
    if canGo(place, isNamedThere: true, words: words) { return place }
    var around = declarations[place].container
    while let container = around {
      around = declarations[container].container
      // A nested type is no class of a model.
      if canGo(container, isNamedThere: around != nil, words: words) { return container }
    }
    return nil
  }

  /// - Parameter isNamedThere: whether a word occurs in the declaration itself; for types, in the
  ///   head.
  func canGo(_ index: Int, isNamedThere: Bool, words: some Collection<String>) -> Bool {
    let declaration = declarations[index]
    let container = declaration.container.map { declarations[$0] }
    guard declaration.canBeLeftOut(of: container) else { return false }
    switch declaration.kind {
    case .anExtension:
      if words.contains(where: declaration.extends) { return true }
      // An extension is removed whole or not at all: each member must be removable by itself.
      return isNamedThere
        && declarations.allSatisfy { $0.container != index || $0.canBeLeftOut(of: declaration) }
    case .type:
      // Models name classes at run time, and superclasses do not show which classes are managed.
      return !declaration.isClass || isNamedThere
        || words.contains { places[$0]?[index] != nil }
    case .other: return canBeMadeWithout(initializer: index)
    default: return true
    }
  }

  /// Returns true if an initialiser's type can be made without it: by another one, or by one that
  /// Swift adds, since all that is stored has a value. Copies find the initialiser by its labels,
  /// so it has to be the only one that has them.
  private func canBeMadeWithout(initializer index: Int) -> Bool {
    guard let container = declarations[index].container, let own = path(of: index) else {
      return false
    }
    let members = declarations.indices.filter {
      declarations[$0].container == container && !leftOut.contains($0)
    }
    let others = members.filter { $0 != index && declarations[$0].keyword == "init" }
    guard !others.contains(where: { path(of: $0) == own }) else { return false }
    return declarations[container].kind == .anExtension
      || others.contains { !declarations[$0].modifiers.contains("convenience") }
      || members.allSatisfy { !declarations[$0].isStoredWithoutValue }
  }

  /// Paths of removed declarations and imports, in the form that copies are made by.
  var pathsLeftOut: [String] {
    leftOut.sorted().compactMap(path)
      + bodiesLeftOut.sorted { $0.key < $1.key }.compactMap(bodyLeftOut)
      + importsLeftOut.sorted().map { "import \($0)" }
      + conditionEntries
  }

  /// The conditions of the file, in the form that copies are made by.
  var conditionEntries: [String] { ownConditions.sorted().map { "if \($0)" } }

  /// Returns true if the file has more than another reading of it, and everything that this has.
  func saysAll(of other: SourceFacts) -> Bool {
    declarations.count > other.declarations.count || places.count > other.places.count
      ? other.places.keys.allSatisfy { places[$0] != nil } : false
  }

  /// Whether the file declares nothing on this platform.
  var declaresNothing: Bool { declarations.allSatisfy(\.isImport) }

  /// The facts of the file without the imports of some modules.
  func leavingOut(imports modules: Set<String>) -> SourceFacts {
    var facts = self
    facts.importsLeftOut.formUnion(modules)
    facts.imports.removeAll { modules.contains($0.module) }
    return facts
  }

  /// `Book.cover`, `Book.Kind.shade`, `Badge` or `extension UIColor`; nil if the declaration has no
  /// name or goes with a removed container.
  func path(of index: Int) -> String? {
    let declaration = declarations[index]
    guard let name = declaration.pathName else { return nil }
    guard let container = declaration.container else {
      return declaration.kind == .anExtension ? "extension \(name)" : name
    }
    return leftOut.contains(container) ? nil : ownPath(container).map { "\($0).\(name)" }
  }

  /// The position of the reader.
  private struct Place {
    var depth = 0
    var previous = Token.none
    var beforePrevious = Token.none
    /// The last access modifier; applies to declarations on its line.
    var access = Token.none
    /// The extended type, while in an extension that is visible to other files.
    var extended: String?

    func access(to token: Token) -> String { access.line == token.line ? access.text : "" }

    mutating func leave() {
      depth -= 1
      if depth == 0 { extended = nil }
    }
  }

  private mutating func note(_ token: Token, place: inout Place, reader: inout TokenReader) {
    // After a dot or in backticks, keywords are names, as in `.import`.
    let isKeyword =
      place.previous.kind == .word && !place.previous.isQuoted && place.beforePrevious.kind != .dot
    let before = isKeyword ? place.previous.text : ""
    switch before {
    case "import": return note(importOf: token, &reader)
    case _ where Self.isTypeDeclared(by: before, as: token.text):
      return note(type: token, place)
    case "func", "var", "let", "case": note(name: token, before, place: place)
    case "extension" where place.depth == 0:
      place.extended = place.access(to: token).hasSuffix("private") ? nil : token.text
    default: break
    }
    if token.text == "NSManaged", place.depth == 1, let type = place.extended {
      managedExtensions.insert(type)
    }
    if place.previous.kind == .at, Self.entries.contains(token.text) {
      entryLine = entryLine ?? token.line
    } else if place.previous.kind == .dot {
      memberMentions[token.text] = memberMentions[token.text] ?? token.line
    } else if place.previous.kind == .at, Self.macros.contains(token.text) {
      // Copies are made without it.
    } else if token.mayBeType {
      mentions[token.text] = mentions[token.text] ?? token.line
    } else if Self.accessWords.contains(token.text) {
      place.access = token
    }
  }

  private mutating func note(type: Token, _ place: Place) {
    let access = place.access(to: type)
    if place.depth > 0 || access.hasSuffix("private") {
      innerTypes.insert(type.text)
    } else {
      types.insert(type.text)
      if access == "public" || access == "open" { publicTypes.insert(type.text) }
    }
  }

  private mutating func note(name: Token, _ kind: String, place: Place) {
    names.insert(name.text)
    guard !place.access(to: name).hasSuffix("private") else { return }
    if place.depth == 0, kind == "func" { functions.insert(name.text) }
    if place.depth == 1, let type = place.extended {
      extensionMembers[type, default: []].insert(name.text)
    }
  }

  private mutating func note(reference: String, _ line: Int) {
    if reference.hasPrefix("[") {
      memberMentions[reference] = memberMentions[reference] ?? line
    } else {
      references[reference] = references[reference] ?? line
    }
  }

  /// Returns true if `word` is the name of a type declared by `keyword`.
  static func isTypeDeclared(by keyword: String, as word: String) -> Bool {
    declares.contains(keyword) && !modifiers.contains(word)
  }

  private mutating func note(callAt place: Place) {
    guard place.previous.kind == .word, place.beforePrevious.kind != .dot,
      place.beforePrevious.text != "func"
    else { return }
    calls[place.previous.text] = calls[place.previous.text] ?? place.previous.line
  }

  private mutating func note(importOf token: Token, _ reader: inout TokenReader) {
    var module = token
    if Self.importKinds.contains(token.text), let next = reader.next() { module = next }
    imports.append(Import(module: module.text, line: module.line))
  }

  /// Words before braces that are no calls.
  private static let beforeBraces: Set<String> = [
    "async", "await", "catch", "default", "defer", "deinit", "didSet", "do", "else", "get", "init",
    "nonmutating", "repeat", "rethrows", "return", "set", "some", "throws", "try", "willSet",
  ]
  private static let accessWords: Set<String> = [
    "public", "open", "internal", "package", "private", "fileprivate",
  ]
  private static let declares: Set<String> = [
    "associatedtype", "class", "struct", "enum", "actor", "protocol", "typealias",
  ]
  /// Words after `class` that do not name a type, as in `class func`.
  private static let modifiers: Set<String> = [
    "func", "var", "let", "override", "subscript", "final", "private", "public", "internal",
    "fileprivate", "open", "init", "is", "as", "in",
  ]
  private static let importKinds: Set<String> = [
    "class", "struct", "enum", "protocol", "typealias", "func", "var", "let",
  ]
  /// Macros of FoundationModels that only add to what they are attached to.
  private static let macros: Set<String> = ["Generable", "Guide"]
  private static let entries: Set<String> = ["main", "UIApplicationMain", "NSApplicationMain"]
}
