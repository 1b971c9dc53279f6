/// Names that only left-out files declare, each with the name of its file.
///
/// Declarations are compared by name alone: types, functions at the top of a file, and members that
/// extensions add. A name that a kept file declares too counts as the kept file's, so an ambiguous
/// name never causes a file to be left out.
struct Absences {
  private var types: [String: String]
  /// Nested types by their paths, and the last components of these paths.
  private var paths: [String: String] = [:]
  private var lastParts: Set<Substring> = []
  /// Managed classes that are kept while their managed properties are in a left-out file.
  private var halves: [String: String] = [:]
  private var functions: [String: String] = [:]
  private var members: [String: String] = [:]

  /// Module names, which may qualify type names.
  private let modules: Set<String>
  /// Classes that are there even if their files are left out.
  private let present: Set<String>

  init(_ foreign: ForeignNames, modules: Set<String> = [], present: Set<String> = []) {
    self.modules = modules
    self.present = present
    types = foreign.types
    members = foreign.members.filter { Self.isTelling($0.key) }
  }

  mutating func note(_ facts: SourceFacts) {
    let file = facts.file.lastPathComponent
    for type in facts.types where !present.contains(type) { types[type] = file }
    for path in facts.paths {
      paths[path] = file
      lastParts.insert(Self.lastPart(path))
    }
    for type in facts.managedExtensions { halves[type] = file }
    for function in facts.functions { functions[function] = file }
    for name in facts.names where name.hasPrefix("[") { members[name] = file }
    // Members that extend SwiftUI types are skipped: only views use them.
    for (type, names) in facts.extensionMembers
    where !InterfaceWords.isInterface(type, of: "SwiftUI") {
      for name in names where Self.isTelling(name) { members[name] = file }
    }
  }

  /// Leaves out files and declarations that use an absent name, repeatedly, until none does.
  mutating func close(
    _ judgement: inout Judgement, imported: [Judgement], omissions: inout Omissions
  ) {
    while true {
      var isChanged = false
      let known = Known(judgement.compiled + imported.flatMap(\.compiled))
      let kept = judgement.kept
      judgement.kept = []
      for facts in kept {
        let uses = uses(of: facts, known)
        guard let first = uses.min(by: { ($0.line, $0.name) < ($1.line, $1.name) }) else {
          judgement.kept.append(facts)
          continue
        }
        let objection = Omissions.Objection(
          line: first.line, reason: .dependency,
          text: "uses \(first.name) of \(first.file), which is left out", lacking: first.file)
        let words = Dictionary(
          uses.map { ($0.word, "\($0.name) of \($0.file), which is left out") },
          uniquingKeysWith: { $1 })
        if !uses.contains(where: { facts.types.contains($0.name) }),
          let rest = omissions.rest(of: facts, without: words, objection)
        {
          judgement.kept.append(rest)
          isChanged = true
          continue
        }
        judgement.leaveOut(
          facts.file, line: objection.line, reason: objection.reason, text: objection.text,
          facts: facts,
          lacking: objection.lacking)
        note(facts)
      }
      let settled = judgement.kept
      omissions.settle(&judgement)
      let files = Set(judgement.kept.map(\.file))
      for facts in settled where !files.contains(facts.file) { note(facts) }
      if !isChanged, judgement.kept.count == kept.count { return }
    }
  }

  /// Names that kept files declare.
  private struct Known {
    var types: Set<String> = []
    var paths: Set<String> = []
    var names: Set<String> = []

    init(_ kept: [SourceFacts]) {
      for facts in kept {
        types.formUnion(facts.types)
        paths.formUnion(facts.paths)
        names.formUnion(facts.names)
      }
    }
  }

  /// A use of an absent name in a file.
  private struct Use {
    /// The word as it is written in the file.
    let word: String
    let name: String
    let line: Int
    let file: String
  }

  private func uses(of facts: SourceFacts, _ known: Known) -> [Use] {
    let types = facts.mentions.filter {
      !known.types.contains($0.key) && !facts.innerTypes.contains($0.key)
    }
    // Types that the file declares count as well: a class without its managed properties is left
    // out with them, and its name becomes absent.
    let classes = facts.mentions.merging(facts.types.map { ($0, 1) }) { $1 }
    let functions = facts.calls.filter { !known.names.contains($0.key) }
    let members = facts.memberMentions.filter { !known.names.contains($0.key) }
    var uses = usesOfInnerTypes(facts, known: known)
    for (mentioned, absent) in [
      (types, self.types), (classes, halves), (functions, self.functions), (members, self.members),
    ] {
      for (name, line) in mentioned {
        if let file = absent[name] {
          uses.append(Use(word: name, name: name, line: line, file: file))
        }
      }
    }
    return uses
  }

  /// Uses of absent nested types, written as paths or by their short names in an enclosing scope.
  private func usesOfInnerTypes(_ facts: SourceFacts, known: Known) -> [Use] {
    facts.references.compactMap { reference, line -> Use? in
      let lastPart = Self.lastPart(reference)
      guard lastParts.contains(lastPart) || types[String(lastPart)] != nil else { return nil }
      for meaning in meanings(of: reference) {
        if known.types.contains(meaning) || known.paths.contains(meaning) { return nil }
        if let file = paths[meaning] ?? types[meaning] {
          return Use(word: reference, name: meaning, line: line, file: file)
        }
      }
      return nil
    }
  }

  /// Paths that a reference could mean. A top-level type is among them only with its module's name
  /// in front; without it, the type is in `mentions`.
  private func meanings(of reference: String) -> [String] {
    let meanings = ScopeReader.meanings(of: reference)
    guard let name = reference.split(separator: ":").last, let dot = name.firstIndex(of: "."),
      modules.contains(String(name[..<dot]))
    else { return meanings }
    return meanings + [String(name[name.index(after: dot)...])]
  }

  private static func lastPart(_ path: String) -> Substring {
    path.split { $0 == "." || $0 == ":" }.last ?? ""
  }

  /// Returns true if a member's name identifies a declaration. Single lowercase words, as `random`,
  /// occur on many types, and names that Swift, Foundation or Core Data have (`common`) may be
  /// overloads of those.
  static func isTelling(_ name: String) -> Bool {
    name.hasPrefix("[")
      || name.contains { $0.isUppercase || $0.isNumber || $0 == "_" } && !common.contains(name)
  }

  private static let common: Set<String> = [
    "allCases", "allObjects", "boolValue", "compactMap", "dateComponents", "debugDescription",
    "doubleValue", "endDate",
    "fetchRequest", "firstIndex", "flatMap", "floatValue", "forEach", "hasChanges", "hasPrefix",
    "hasSuffix", "intValue",
    "integerValue", "isDeleted", "isEmpty", "lastIndex", "localizedCompare", "localizedDescription",
    "localizedTitle",
    "managedObjectContext", "managedObjectID", "mediaType", "objectID", "performAndWait",
    "persistentStoreCoordinator",
    "rawValue", "removeAll", "removeFirst", "removeLast", "removeObject", "removeValue",
    "replacingOccurrences",
    "sortDescriptors", "startDate", "stringValue", "timeInterval", "trimmingCharacters", "userInfo",
    "viewContext",
  ]
}
