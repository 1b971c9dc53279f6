import Foundation

/// Leaves single declarations out of files that are kept otherwise.
///
/// A declaration goes only if everything that names it goes too, or is known to mean it. What names stand for is not known
/// here: where one could mean something else, the file goes as a whole.
struct Omissions {
  /// Why a file would go as a whole.
  struct Objection {
    let line: Int?
    let reason: LeftOut.Reason
    let text: String
    var lacking: String?
  }

  /// By the files that lack declarations.
  private var objections: [URL: Objection] = [:]
  /// Why each declaration is left out, by its place in its file.
  private var reasons: [URL: [Int: String]] = [:]
  /// Names of what the compiler refuses: it finds who uses them too.
  private var refused: Set<String> = []
  /// Files of modules that see this one.
  let users: [SourceFacts]
  /// What modules that this one sees leave out, with their files.
  let absent: [String: String]
  /// Classes whose members are found by names in texts, also those of extensions.
  let exposing: Set<String>

  init(users: [SourceFacts], imported: [Judgement], exposing: Set<String>) {
    self.users = users
    self.exposing = exposing
    let names = imported.flatMap(\.kept).flatMap { facts in
      facts.namesLeftOut.map { ($0, facts.file.lastPathComponent) }
    }
    absent = Dictionary(names) { first, _ in first }
  }

  /// Leaves out what has some words, which are given with what they are; nil where the whole file has to go.
  mutating func rest(
    of facts: SourceFacts, without words: [String: String], _ objection: Objection
  ) -> SourceFacts? {
    guard let indexes = facts.removable(words.keys), !indexes.isEmpty,
      !indexes.contains(where: { facts.owner(of: $0).map(exposing.contains) ?? false })
    else { return nil }
    let rest = facts.leavingOut(indexes)
    if rest.isEmptied { return nil }
    if objections[facts.file] == nil { objections[facts.file] = objection }
    for (word, text) in words.sorted(by: { $1.key < $0.key }) {
      for place in (facts.places[word] ?? [:]).keys {
        var index = place
        while !indexes.contains(index), let container = facts.declarations[index].container {
          index = container
        }
        reasons[facts.file, default: [:]][index] = "uses \(text)"
      }
    }
    return rest
  }

  /// Leaves out what the compiler refuses, given by its paths with what it says; nil where the whole file has to go.
  mutating func rest(of facts: SourceFacts, refused messages: [String: String]) -> SourceFacts? {
    if messages.isEmpty { return facts }
    // Sources change: what is not there any more is refused no more.
    let found = facts.declarations.indices.compactMap { index in
      facts.path(of: index).flatMap { messages[$0] }.map { (index, $0) }
    }
    if messages[""] != nil { return nil }
    if found.isEmpty { return facts }
    guard let indexes = facts.namesakes(of: Set(found.map(\.0))) else { return nil }
    let rest = facts.leavingOut(indexes)
    if rest.isEmptied { return nil }
    objections[facts.file] = Objection(
      line: facts.declarations[found[0].0].line, reason: .refused,
      text: "does not compile here: \(found[0].1)")
    for (index, message) in found {
      reasons[facts.file, default: [:]][index] = "does not compile here: \(message)"
    }
    refused.formUnion(rest.namesLeftOut)
    return rest
  }

  /// Goes on until nothing that is kept names what is left out.
  mutating func settle(_ judgement: inout Judgement) {
    var before = -1
    while before != judgement.kept.count + judgement.countLeftOut {
      before = judgement.kept.count + judgement.countLeftOut
      for facts in judgement.kept {
        for name in facts.namesLeftOut.sorted() where isUsed(name, judgement) {
          if isMeant(name, judgement) {
            drop(name, facts.file.lastPathComponent, &judgement)
          } else if !refused.contains(name) {
            restore(name, &judgement)
          }
        }
      }
      for (name, file) in absent where !judgement.compiled.contains(where: { $0.declares(name) }) {
        drop(name, file, &judgement)
      }
    }
  }

  private func isUsed(_ name: String, _ judgement: Judgement) -> Bool {
    (judgement.compiled + users).contains { $0.places[name] != nil }
  }

  /// Whether a name tells which declaration is meant, and no other has it.
  private func isMeant(_ name: String, _ judgement: Judgement) -> Bool {
    Absences.isTelling(name) && !(judgement.compiled + users).contains { $0.declares(name) }
      && !judgement.own.contains { $0.places[name] != nil }
  }

  /// Leaves out what uses a name.
  private mutating func drop(_ name: String, _ file: String, _ judgement: inout Judgement) {
    for (index, facts) in judgement.kept.enumerated().reversed() {
      guard let line = facts.places[name]?.values.min() else { continue }
      let text = "\(name) of \(file), which is left out"
      let objection = Objection(
        line: line, reason: .dependency, text: "uses \(text)", lacking: file)
      if let rest = rest(of: facts, without: [name: text], objection) {
        judgement.kept[index] = rest
      } else {
        leaveOut(index, objections[facts.file] ?? objection, &judgement)
      }
    }
  }

  /// A name may mean something else: files that lack it go as a whole.
  private func restore(_ name: String, _ judgement: inout Judgement) {
    for (index, facts) in judgement.kept.enumerated().reversed()
    where facts.namesLeftOut.contains(name) {
      if let objection = objections[facts.file] { leaveOut(index, objection, &judgement) }
    }
  }

  private func leaveOut(_ index: Int, _ objection: Objection, _ judgement: inout Judgement) {
    let facts = judgement.kept.remove(at: index)
    judgement.leaveOut(
      facts.file, objection.line, objection.reason, objection.text, facts,
      lacking: objection.lacking)
  }

  /// What is left out of files that are kept.
  func declarations(_ judgement: Judgement) -> [LeftOut] {
    judgement.kept.flatMap { facts in
      facts.leftOut.sorted().compactMap { index -> LeftOut? in
        guard let path = facts.path(of: index), let objection = objections[facts.file] else {
          return nil
        }
        let reason = reasons[facts.file]?[index].map { ", which \($0)" } ?? ""
        return LeftOut(
          file: facts.file, line: facts.declarations[index].line, reason: objection.reason,
          text: "\(path) is left out\(reason)", importsCoreData: facts.importsCoreData)
      }
    }
  }
}

extension SourceFacts {
  /// Whether what is left of the file declares something of a name.
  fileprivate func declares(_ name: String) -> Bool {
    names.contains(name) || types.contains(name) || innerTypes.contains(name)
  }
}
