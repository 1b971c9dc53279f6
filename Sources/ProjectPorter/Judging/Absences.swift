/// What only files that are left out declare, each name with its file.
///
/// Names stand for declarations: types, functions at the top of a file, and what extensions add. A name that a file that
/// is kept declares too is taken for that one's, so that a file is rather kept than left out where names do not tell.
struct Absences {
  private var types: [String: String]
  /// Managed classes whose properties are in a file that is left out, though the class itself is kept.
  private var halves: [String: String] = [:]
  private var functions: [String: String] = [:]
  private var members: [String: String] = [:]

  init(_ foreign: ForeignNames) {
    types = foreign.types
    members = foreign.members.filter { Self.isTelling($0.key) }
  }

  mutating func note(_ facts: SourceFacts) {
    let file = facts.file.lastPathComponent
    for type in facts.types { types[type] = file }
    for type in facts.managedExtensions { halves[type] = file }
    for function in facts.functions { functions[function] = file }
    // What is added to a view is used by views.
    for (type, names) in facts.extensionMembers
    where !InterfaceWords.isInterface(type, of: "SwiftUI") {
      for name in names where Self.isTelling(name) { members[name] = file }
    }
  }

  /// Leaves out what uses what is absent, until nothing does.
  mutating func close(
    _ judgement: inout Judgement, imported: [Judgement], _ omissions: inout Omissions
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
          uses.map { ($0.name, "\($0.name) of \($0.file), which is left out") },
          uniquingKeysWith: { $1 })
        if !uses.contains(where: { facts.types.contains($0.name) }),
          let rest = omissions.rest(of: facts, without: words, objection)
        {
          judgement.kept.append(rest)
          isChanged = true
          continue
        }
        judgement.leaveOut(
          facts.file, objection.line, objection.reason, objection.text, facts,
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

  /// What files that are kept declare.
  private struct Known {
    var types: Set<String> = []
    var names: Set<String> = []

    init(_ kept: [SourceFacts]) {
      for facts in kept {
        types.formUnion(facts.types)
        names.formUnion(facts.names)
      }
    }
  }

  private func uses(
    of facts: SourceFacts, _ known: Known
  ) -> [(name: String, line: Int, file: String)] {
    let types = facts.mentions.filter {
      !known.types.contains($0.key) && !facts.innerTypes.contains($0.key)
    }
    // A class that is left out is one of the types soon.
    let classes = facts.mentions.merging(facts.types.map { ($0, 1) }) { $1 }
    let functions = facts.calls.filter { !known.names.contains($0.key) }
    let members = facts.memberMentions.filter { !known.names.contains($0.key) }
    var uses: [(name: String, line: Int, file: String)] = []
    for (mentioned, absent) in [
      (types, self.types), (classes, halves), (functions, self.functions), (members, self.members),
    ] {
      for (name, line) in mentioned {
        if let file = absent[name] { uses.append((name, line, file)) }
      }
    }
    return uses
  }

  /// Whether a member's name says which declaration is meant. One word is on many types, as `random`, and so is what
  /// Swift, Foundation and Core Data have: an extension that adds it overloads it.
  static func isTelling(_ name: String) -> Bool {
    name.contains { $0.isUppercase || $0.isNumber || $0 == "_" } && !common.contains(name)
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
