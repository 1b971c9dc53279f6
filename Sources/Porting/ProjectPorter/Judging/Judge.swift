import Foundation

/// Decides which sources of a project's targets are built on Linux.
struct Judge {
  let project: Project
  /// Lowercased identities of packages to depend on even though they are not in `KnownPackages`.
  let extraPackages: Set<String>
  let targets: [String: ProjectTarget]
  private var own: OwnSources
  let refusals: Refusals
  /// Modules that are taken for stand-ins of which all is there.
  private(set) var assumed: Set<String> = []
  private(set) var facts: [Reading: SourceFacts] = [:]
  private var foreign = ForeignNames()
  private(set) var judgements: [String: Judgement] = [:]
  /// The modules that all files with a word import: only those can have it, since a file sees the
  /// types of the modules that it imports itself.
  private(set) var importsWithWord: [String: Set<String>] = [:]
  /// Names of members that several types declare.
  private var ambiguousNames: Set<String> = []
  /// Names of the top-level types of all targets.
  private(set) var declared: Set<String> = []

  /// A file as one target sees it: the target's conditions select the branches of `#if`.
  struct Reading: Hashable {
    let file: URL
    let conditions: [String]

    init(_ file: URL, target: ProjectTarget) {
      self.file = file
      conditions = target.conditions
    }
  }

  init(
    _ project: Project, extraPackages: Set<String>, own: OwnSources = OwnSources(),
    refusals: Refusals = Refusals()
  ) {
    self.project = project
    self.refusals = refusals
    self.own = own
    self.extraPackages = extraPackages
    targets = Dictionary(
      project.targets.map { ($0.module, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The targets that use Core Data, the targets that they import, and the tests of both, in the
  /// order of the project.
  mutating func judged() throws -> [Judgement] {
    foreign = ForeignNames(headers: project.headers)
    for target in project.targets { try read(target) }
    for facts in facts.values { declared.formUnion(facts.types) }
    for facts in facts.values {
      let modules = Set(facts.imports.map(\.module))
      for word in facts.mentions.keys {
        importsWithWord[word, default: modules].formIntersection(modules)
      }
    }
    ambiguousNames = Self.ambiguousNames(facts.values)
    for model in Set(project.targets.flatMap(\.models)) {
      declared.formUnion(ModelClasses(model).names)
    }
    let wanted = self.wanted
    for module in wanted { judge(module, path: []) }
    return project.targets.compactMap { judgements[$0.module] }
      .filter { wanted.contains($0.target.module) }
  }

  /// The names that types of more than one name declare; protocols and their types are several.
  private static func ambiguousNames(_ all: some Collection<SourceFacts>) -> Set<String> {
    var owners: [String: Set<String>] = [:]
    for facts in all {
      for index in facts.declarations.indices {
        guard let owner = facts.owner(of: index), let name = facts.ownName(index) else { continue }
        owners[name, default: []].insert(owner)
      }
    }
    return Set(owners.filter { $0.value.count > 1 }.keys)
  }

  /// What is built more if a source of the package's own takes the place of a file and declares
  /// what that does: the numbers of other files and of tests.
  func gain(ofReplacing file: URL) -> (files: Int, tests: Int) {
    guard let target = target(of: file) else { return (0, 0) }
    var other = self
    other.own.add(file, to: target)
    return gain(of: &other)
  }

  /// What is built more if a module that is missing here has a stand-in with all that is used of
  /// it: the numbers of files and of tests.
  func gain(ofModule module: String) -> (files: Int, tests: Int) {
    var other = self
    other.assumed.insert(module)
    return gain(of: &other)
  }

  /// The target in which a file is left out.
  func target(of file: URL) -> ProjectTarget? {
    project.targets.first { target in
      judgements[target.module]?.leftOut.contains { $0.file == file } ?? false
    }
  }

  /// The modules without user interface that left-out files import and that are missing here, those
  /// of most files first.
  var missingModules: [String] {
    let left = judgements.values.flatMap { judgement in
      judgement.leftOut.filter { [.service, .module].contains($0.reason) }
        .compactMap { facts[Reading($0.file, target: judgement.target)] }
    }
    let counts = Dictionary(left.flatMap { $0.imports.map { ($0.module, 1) } }, uniquingKeysWith: +)
    return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key).filter { module in
      isMissing(module) && KnownModules.absence(of: module)?.reason != .interface
    }
  }

  private func gain(of other: inout Judge) -> (files: Int, tests: Int) {
    other.judgements = [:]
    for module in judgements.keys.sorted() { other.judge(module, path: []) }
    let (now, then) = (judgements.values, other.judgements.values)
    return (
      then.reduce(0) { $0 + $1.kept.count } - now.reduce(0) { $0 + $1.kept.count },
      then.reduce(0) { $0 + $1.tests.built } - now.reduce(0) { $0 + $1.tests.built }
    )
  }

  private mutating func read(_ target: ProjectTarget) throws {
    for file in target.sources + own.of(target) where facts[Reading(file, target: target)] == nil {
      guard file.isThere else { continue }
      facts[Reading(file, target: target)] = try SourceFacts(
        file, conditions: Set(target.conditions))
    }
  }

  // MARK: - One target

  /// Judges a target after the targets that it imports.
  private mutating func judge(_ module: String, path: Set<String>) {
    guard judgements[module] == nil, !path.contains(module), let target = targets[module] else {
      return
    }
    for used in importedTargets(module).sorted() { judge(used, path: path.union([module])) }
    var judgement = Judgement(target: target)
    if target.kind == .macro {
      judgement.kept = target.sources.compactMap { facts[Reading($0, target: target)] }
      judgements[module] = judgement
      return
    }
    let imported = importedTargets(module).compactMap { judgements[$0] }
    var omissions = Omissions(
      users: users(of: target), imported: imported, exposing: exposingClasses,
      ambiguous: ambiguousNames, isTests: target.kind == .tests)
    judgement.own = own.of(target).compactMap { facts[Reading($0, target: target)] }
    judgement.replaced = (target.foreignSources + target.sources).filter(judgement.replaces)
    for file in target.foreignSources where !judgement.replaces(file) {
      judgement.leaveOut(
        file, line: nil, reason: .foreign,
        text: "is no Swift; translate it, or leave what uses it out", facts: nil)
    }
    for file in target.sources where !judgement.replaces(file) {
      guard var facts = facts[Reading(file, target: target)] else {
        judgement.leaveOut(
          file, line: nil, reason: .missing,
          text: "is not there: the project names it; a step of the build may make it", facts: nil)
        continue
      }
      var refused = refusals.of(project.shortPath(file.path))
      for path in facts.ownBundles { refused[path] = "SwiftPM makes it" }
      // The compiler refuses what the file has for another platform: it has something for Linux.
      let isForLinux = refused.keys.contains { $0.hasPrefix("if ") }
      if facts.declaresNothing || !facts.platformsLeft.isEmpty && !isForLinux,
        let other = try? otherPlatform(
          file, own: facts, in: target, judgement: &judgement, omissions: omissions)
      {
        facts = other
        self.facts[Reading(file, target: target)] = other
      }
      if let other = judgement.kept.first(where: {
        $0.file.lastPathComponent == file.lastPathComponent
      }) {
        judgement.leaveOut(
          file, line: nil, reason: .module,
          text: "has the name of \(other.file.path): a module has one file of a name here",
          facts: facts)
        continue
      }
      if let rest = omissions.rest(of: facts, refused: refused) {
        facts = rest
      } else {
        let (path, message) = refused.min { $0.key < $1.key }!
        let line =
          refusals.line(of: project.shortPath(file.path), path) ?? facts.line(of: path) ?? 1
        judgement.leaveOut(
          file, line: line, reason: .refused, text: "does not compile here: \(message)",
          facts: facts)
        continue
      }
      if let (line, reason, text) = objection(to: facts, in: target, &judgement) {
        let whole = Omissions.Objection(line: line, reason: reason, text: text)
        if let rest = omissions.rest(of: facts, without: foreignWords(of: facts), whole),
          objection(to: rest, in: target, &judgement) == nil
        {
          judgement.kept.append(rest.leavingOut(imports: unusedImports(of: rest)))
        } else {
          judgement.leaveOut(file, line: line, reason: reason, text: text, facts: facts)
        }
      } else {
        judgement.kept.append(facts.leavingOut(imports: unusedImports(of: facts)))
      }
    }
    close(&judgement, imported: imported, omissions: &omissions)
    judgement.declarationsLeftOut = omissions.declarations(judgement)
    judgement.lenders = lenders(of: judgement, among: imported)
    judgements[module] = judgement
  }

  /// A file with code for another platform where it has none for Linux, as that platform sees it;
  /// nil if it has something for Linux alone, or if it needs something of the platform. A file with
  /// nothing at all for Linux is taken even so, if what needs the platform can be left out of it.
  private mutating func otherPlatform(
    _ file: URL, own: SourceFacts, in target: ProjectTarget, judgement: inout Judgement,
    omissions: Omissions
  ) throws -> SourceFacts? {
    for isWhole in own.declaresNothing ? [true, false] : [true] {
      for conditions in Self.otherPlatforms {
        var facts = try SourceFacts(file, conditions: conditions.union(target.conditions))
        guard !facts.declaresNothing, facts.saysAll(of: own) else { continue }
        if let (line, reason, text) = objection(to: facts, in: target, &judgement) {
          if isWhole { continue }
          var omissions = omissions
          let whole = Omissions.Objection(line: line, reason: reason, text: text)
          guard
            let rest = omissions.rest(of: facts, without: foreignWords(of: facts), whole),
            objection(to: rest, in: target, &judgement) == nil
          else { continue }
        }
        facts.ownConditions = conditions
        facts.hasCodeForLinux = !own.declaresNothing
        declared.formUnion(facts.types)
        return facts
      }
    }
    return nil
  }

  private static let otherPlatforms: [Set<String>] = [
    ["canImport(UIKit)", "os(iOS)"], ["canImport(AppKit)", "os(macOS)"],
  ]

  /// Imported modules whose members the kept files use although none of these files imports the
  /// module.
  private func lenders(of judgement: Judgement, among imported: [Judgement]) -> Set<String> {
    let used = Set(judgement.compiled.flatMap(\.memberMentions.keys)).filter(Absences.isTelling)
    let present = judgement.imports
    let lenders = imported.filter { other in
      !present.contains(other.target.module) && !other.kept.isEmpty
        && other.compiled.contains { facts in
          facts.extensionMembers.values.contains { !$0.isDisjoint(with: used) }
        }
    }
    return Set(lenders.map(\.target.module))
  }

  // MARK: - Users of what is left out

  private var exposingClasses: Set<String> {
    Set(
      facts.values.flatMap(\.declarations).filter { $0.attributes.contains("objcMembers") }
        .compactMap(\.name))
  }

  /// Files without user interface of the targets that import this one.
  private func users(of target: ProjectTarget) -> [SourceFacts] {
    project.targets.filter { importedTargets($0.module).contains(target.module) }.flatMap { other in
      other.sources.compactMap { facts[Reading($0, target: other)] }
        .filter { foreignWords(of: $0).isEmpty }
    }
  }

  private func close(
    _ judgement: inout Judgement, imported: [Judgement], omissions: inout Omissions
  ) {
    let models = ([judgement] + imported).flatMap(\.target.models)
    var absences = Absences(
      foreign, modules: Set(targets.keys),
      present: Set(models.flatMap { ModelClasses($0).extended.keys }))
    for other in [judgement] + imported {
      for left in other.leftOut {
        if let facts = facts[Reading(left.file, target: other.target)] { absences.note(facts) }
      }
    }
    absences.close(&judgement, imported: imported, omissions: &omissions)
  }
}
