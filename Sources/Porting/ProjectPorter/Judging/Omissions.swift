import Foundation

/// Removes single declarations from files that are otherwise kept.
///
/// A declaration is removed only if everything that names it is removed too, or certainly means it.
/// Names are not resolved here: if a name could mean something else, the whole file is left out.
struct Omissions {
  /// The reason for leaving out the whole file, if removing declarations fails.
  struct Objection {
    let line: Int?
    let reason: LeftOut.Reason
    let text: String
    var lacking: String?
  }

  /// Objections by file, for files from which declarations are removed.
  private var objections: [URL: Objection] = [:]
  /// The reason for each removed declaration, by its index in its file.
  private var reasons: [URL: [Int: String]] = [:]
  /// The reason for what is left out of each body, by the declaration's index in its file.
  private var bodyReasons: [URL: [Int: String]] = [:]
  /// Whether the target has tests, whose bodies stay as they are. Other files of such a target are
  /// sources of the application that it compiles itself.
  let isTests: Bool
  /// Names of declarations that the compiler refused. Their users need no search here: the compiler
  /// refuses them too.
  private var refused: Set<String> = []
  /// Files of modules that import this one.
  let users: [SourceFacts]
  /// Names removed from kept files of imported modules, each with the name of its file.
  let absent: [String: String]
  /// Classes with `@objcMembers`, whose members, also those in extensions, are found by name at run
  /// time.
  let exposing: Set<String>
  /// Names that several types of the project declare.
  let ambiguous: Set<String>

  init(
    users: [SourceFacts], imported: [Judgement], exposing: Set<String>,
    ambiguous: Set<String> = [], isTests: Bool = false
  ) {
    self.users = users
    self.exposing = exposing
    self.ambiguous = ambiguous
    self.isTests = isTests
    let intact = Set(imported.flatMap(\.kept).flatMap(\.namesOfWholeDeclarations))
    let names = imported.flatMap(\.kept).flatMap { facts in
      // A test that calls a function without its body would end all of them.
      let bodies =
        isTests
        ? facts.namesWithoutBody.filter(Absences.isTelling).subtracting(intact) : []
      // Another name may mean something else; the compiler knows.
      let names = facts.namesLeftOut.filter(Absences.isTelling)
      return names.union(bodies).map { ($0, facts.file.lastPathComponent) }
    }
    absent = Dictionary(names) { first, _ in first }
  }

  /// Removes the declarations that mention `words` (keys; values describe them for reports).
  /// Returns nil if the whole file must go.
  mutating func rest(
    of facts: SourceFacts, without words: [String: String], _ objection: Objection
  ) -> SourceFacts? {
    let removal = facts.removable(
      words.keys, inBodies: !isTests || !facts.importsTests, ambiguous: ambiguous)
    guard let removal, !removal.isEmpty else { return nil }
    let indexes = removal.declarations
    if indexes.contains(where: { facts.owner(of: $0).map(exposing.contains) ?? false }) {
      return nil
    }
    let rest = facts.leavingOut(indexes, bodies: removal.bodies)
    if rest.isEmptied { return nil }
    for (index, found) in removal.bodies {
      bodyReasons[facts.file, default: [:]][index] =
        "uses " + found.sorted().map { words[$0] ?? $0 }.joined(separator: ", ")
    }
    if objections[facts.file] == nil { objections[facts.file] = objection }
    for (word, text) in words.sorted(by: { $1.key < $0.key }) {
      for place in (facts.places[word] ?? [:]).keys {
        if removal.bodies[place]?.contains(word) ?? false { continue }
        var index = place
        while !indexes.contains(index), let container = facts.declarations[index].container {
          index = container
        }
        reasons[facts.file, default: [:]][index] = "uses \(text)"
      }
    }
    return rest
  }

  /// Removes the declarations that the compiler refused. Keys of `messages` are their paths, "" for
  /// the whole file; values are the compiler's messages. Returns nil if the whole file must go.
  mutating func rest(of facts: SourceFacts, refused messages: [String: String]) -> SourceFacts? {
    if messages.isEmpty { return facts }
    // A recorded path may be gone from the source; it is ignored then.
    let found = facts.declarations.indices.compactMap { index in
      facts.path(of: index).flatMap { messages[$0] }.map { (index, $0) }
    }
    if messages[""] != nil { return nil }
    let bodies = facts.declarations.indices.compactMap { index in
      facts.bodyPath(of: index).flatMap { messages["in \($0)"] }.map { (index, $0) }
    }
    guard let first = found.first ?? bodies.first else { return facts }
    guard let indexes = facts.namesakes(of: Set(found.map(\.0))) else { return nil }
    let rest = facts.leavingOut(
      indexes, bodies: Dictionary(uniqueKeysWithValues: bodies.map { ($0.0, []) }))
    if rest.isEmptied { return nil }
    objections[facts.file] = Objection(
      line: facts.declarations[first.0].line, reason: .refused,
      text: "does not compile here: \(first.1)")
    for (index, message) in bodies {
      bodyReasons[facts.file, default: [:]][index] = "does not compile here: \(message)"
    }
    for (index, message) in found {
      reasons[facts.file, default: [:]][index] = "does not compile here: \(message)"
    }
    refused.formUnion(rest.namesLeftOut)
    return rest
  }

  /// Removes users of removed declarations, repeatedly, until no kept file names one.
  mutating func settle(_ judgement: inout Judgement) {
    var before = -1
    while before != judgement.kept.count + judgement.countLeftOut {
      before = judgement.kept.count + judgement.countLeftOut
      for facts in judgement.kept {
        for name in facts.namesLeftOut.sorted() where isUsed(name, judgement: judgement) {
          if isMeant(name, judgement: judgement) {
            drop(name, file: facts.file.lastPathComponent, judgement: &judgement)
          } else if !refused.contains(name), !isLeftToTheCompiler(name, facts: facts) {
            restore(name, judgement: &judgement)
          }
        }
      }
      for (name, file) in absent where !judgement.compiled.contains(where: { $0.declares(name) }) {
        drop(name, file: file, judgement: &judgement)
      }
    }
  }

  /// Returns true if nothing but code that names the removed declarations of a file can depend on
  /// them: they are members of types that conform to no protocol which could ask for them. A use
  /// that means one of them does not compile then; others are none of its.
  private func isLeftToTheCompiler(_ name: String, facts: SourceFacts) -> Bool {
    facts.leftOut.filter { facts.ownName($0) == name && !facts.goesWithItsType($0) }
      .allSatisfy { index in
        guard let container = facts.declarations[index].container else { return false }
        return !facts.declarations[container].mayHaveRequirements
      }
  }

  private func isUsed(_ name: String, judgement: Judgement) -> Bool {
    (judgement.compiled + users).contains { $0.places[name] != nil }
  }

  /// Returns true if the name can only mean the removed declaration: it identifies one, no
  /// remaining file declares it, and none of the package's own sources uses it.
  private func isMeant(_ name: String, judgement: Judgement) -> Bool {
    Absences.isTelling(name) && !(judgement.compiled + users).contains { $0.declares(name) }
      && !judgement.own.contains { $0.places[name] != nil }
  }

  /// Removes the declarations, or else the files, that use a name.
  private mutating func drop(_ name: String, file: String, judgement: inout Judgement) {
    for (index, facts) in judgement.kept.enumerated().reversed() {
      guard let line = facts.places[name]?.values.min() else { continue }
      let text = "\(name) of \(file), which is left out"
      let objection = Objection(
        line: line, reason: .dependency, text: "uses \(text)", lacking: file)
      if let rest = rest(of: facts, without: [name: text], objection) {
        judgement.kept[index] = rest
      } else {
        leaveOut(index, objection: objections[facts.file] ?? objection, judgement: &judgement)
      }
    }
  }

  /// Leaves out every file from which a declaration of this name was removed that a protocol may
  /// ask for, since the name may mean something else.
  private func restore(_ name: String, judgement: inout Judgement) {
    for (index, facts) in judgement.kept.enumerated().reversed()
    where facts.namesLeftOut.contains(name) && !isLeftToTheCompiler(name, facts: facts) {
      if let objection = objections[facts.file] {
        leaveOut(index, objection: objection, judgement: &judgement)
      }
    }
  }

  private func leaveOut(_ index: Int, objection: Objection, judgement: inout Judgement) {
    let facts = judgement.kept.remove(at: index)
    judgement.leaveOut(
      facts.file, line: objection.line, reason: objection.reason, text: objection.text,
      facts: facts,
      lacking: objection.lacking)
  }

  /// The declarations removed from kept files, as entries of the report.
  func declarations(_ judgement: Judgement) -> [LeftOut] {
    judgement.kept.flatMap { facts in
      bodies(facts) + declarations(facts)
    }
  }
}

extension Omissions {
  private func declarations(_ facts: SourceFacts) -> [LeftOut] {
    facts.leftOut.sorted().compactMap { index -> LeftOut? in
      guard let path = facts.path(of: index), let objection = objections[facts.file] else {
        return nil
      }
      let reason = reasons[facts.file]?[index]
      return LeftOut(
        file: facts.file, line: facts.declarations[index].line, reason: objection.reason,
        text: "\(path) is left out\(reason.map { ", which \($0)" } ?? "")",
        lacking: objection.lacking, cause: reason ?? objection.text,
        importsCoreData: facts.importsCoreData, tests: facts.declarations[index].isTest ? 1 : 0)
    }
  }

  /// What is left out of the bodies of a file, as entries of the report.
  private func bodies(_ facts: SourceFacts) -> [LeftOut] {
    facts.bodiesLeftOut.keys.sorted().compactMap { index -> LeftOut? in
      guard let path = facts.bodyPath(of: index), let objection = objections[facts.file],
        let reason = bodyReasons[facts.file]?[index]
      else { return nil }
      return LeftOut(
        file: facts.file, line: facts.declarations[index].line, reason: objection.reason,
        text: "\(path) is built without what \(reason)", lacking: objection.lacking,
        cause: reason, importsCoreData: facts.importsCoreData, isOfBody: true)
    }
  }
}

extension SourceFacts {
  /// Returns true if the remaining declarations of the file include the name.
  fileprivate func declares(_ name: String) -> Bool {
    names.contains(name) || types.contains(name) || innerTypes.contains(name)
  }
}
