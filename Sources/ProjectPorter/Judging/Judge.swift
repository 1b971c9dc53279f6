import Foundation

/// Decides what of a project's targets is built on Linux.
struct Judge {
  private let project: Project
  /// Packages that the command takes along, known or not.
  private let extraPackages: Set<String>
  private let targets: [String: ProjectTarget]
  private var facts: [Reading: SourceFacts] = [:]
  private var foreignTypes: [String: String] = [:]
  private var judgements: [String: Judgement] = [:]
  /// Types of all targets.
  private var declared: Set<String> = []

  /// A file as a target sees it: conditions decide what there is of it.
  private struct Reading: Hashable {
    let file: URL
    let conditions: [String]

    init(_ file: URL, _ target: ProjectTarget) {
      self.file = file
      conditions = target.conditions
    }
  }

  init(_ project: Project, extraPackages: Set<String>) {
    self.project = project
    self.extraPackages = extraPackages
    targets = Dictionary(
      project.targets.map { ($0.module, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The targets that use Core Data, with those that they import and those that test them, in the order of the project.
  mutating func judged() throws -> [Judgement] {
    foreignTypes = ForeignTypes.all(in: project.headers)
    for target in project.targets { try read(target) }
    for facts in facts.values { declared.formUnion(facts.types) }
    let wanted = self.wanted
    for module in wanted { judge(module, path: []) }
    return project.targets.compactMap { judgements[$0.module] }
      .filter { wanted.contains($0.target.module) }
  }

  private mutating func read(_ target: ProjectTarget) throws {
    for file in target.sources where facts[Reading(file, target)] == nil {
      guard file.isThere else { continue }
      facts[Reading(file, target)] = try SourceFacts(file, conditions: Set(target.conditions))
    }
  }

  // MARK: - Which targets

  private var wanted: Set<String> {
    var wanted = Set(
      project.targets.filter { $0.kind == .product && usesCoreData($0) }.map(\.module))
    var rest = Array(wanted)
    while let module = rest.popLast() {
      for used in importedTargets(module) where wanted.insert(used).inserted { rest.append(used) }
    }
    // Tests of what is ported; what else they import comes along.
    for target in project.targets where target.kind == .tests {
      let used = importedTargets(target.module)
      if used.contains(where: wanted.contains) || usesCoreData(target) {
        wanted.insert(target.module)
        wanted.formUnion(used)
      }
    }
    return wanted
  }

  private func usesCoreData(_ target: ProjectTarget) -> Bool {
    target.models.contains { $0.pathExtension != "xcmappingmodel" }
      || target.sources.contains { facts[Reading($0, target)]?.importsCoreData ?? false }
  }

  private func importedTargets(_ module: String) -> Set<String> {
    guard let target = targets[module] else { return [] }
    let imported = target.sources.compactMap { facts[Reading($0, target)] }.flatMap {
      $0.imports.map(\.module)
    }
    return Set(imported).filter { $0 != module && targets[$0]?.kind == .product }
  }

  // MARK: - One target

  /// Judges what a target imports first.
  private mutating func judge(_ module: String, path: Set<String>) {
    guard judgements[module] == nil, !path.contains(module), let target = targets[module] else {
      return
    }
    for used in importedTargets(module).sorted() { judge(used, path: path.union([module])) }
    var judgement = Judgement(target: target)
    for file in target.foreignSources {
      judgement.leaveOut(
        file, nil, .foreign, "is no Swift; translate it, or leave what uses it out", nil)
    }
    for file in target.sources {
      guard let facts = facts[Reading(file, target)] else {
        judgement.leaveOut(
          file, nil, .missing,
          "is not there: the project names it; a step of the build may make it", nil)
        continue
      }
      if let other = judgement.kept.first(where: {
        $0.file.lastPathComponent == file.lastPathComponent
      }) {
        judgement.leaveOut(
          file, nil, .module,
          "has the name of \(other.file.path): a module has one file of a name here", facts)
      } else if let (line, reason, text) = objection(to: facts, in: target, &judgement) {
        judgement.leaveOut(file, line, reason, text, facts)
      } else {
        judgement.kept.append(facts)
      }
    }
    close(&judgement)
    judgements[module] = judgement
  }

  private func objection(
    to facts: SourceFacts, in target: ProjectTarget, _ judgement: inout Judgement
  ) -> (Int?, LeftOut.Reason, String)? {
    for imported in facts.imports {
      if InterfaceWords.replacedModules.contains(imported.module) {
        guard let (word, line) = interface(of: imported.module, in: facts) else {
          if imported.module == "SwiftUI", usesCombine(facts) {
            judgement.exports.insert("Combine")
          }
          continue
        }
        return (line, .interface, "uses \(word) of \(imported.module): it needs a user interface")
      }
      if let (reason, text) = objection(to: imported.module, in: target, &judgement) {
        return (imported.line, reason, text)
      }
    }
    if let line = facts.entryLine {
      return (line, .entry, "starts the application, which tests do themselves")
    }
    if facts.file.lastPathComponent == "main.swift" {
      return (nil, .entry, "starts the application, which tests do themselves")
    }
    return nil
  }

  /// The first type of a module that a file uses; none where it imports the module for what that brings along.
  private func interface(of module: String, in facts: SourceFacts) -> (String, Int)? {
    facts.mentions
      .filter { InterfaceWords.isInterface($0.key, of: module) && !isOwn($0.key, facts) }
      .min { ($0.value, $0.key) < ($1.value, $1.key) }
      .map { ($0.key, $0.value) }
  }

  private func usesCombine(_ facts: SourceFacts) -> Bool {
    facts.mentions.keys.contains { InterfaceWords.combine.contains($0) && !isOwn($0, facts) }
  }

  /// Whether the file, or another of the project, declares a type of this name.
  private func isOwn(_ word: String, _ facts: SourceFacts) -> Bool {
    facts.types.contains(word) || facts.innerTypes.contains(word) || declared.contains(word)
  }

  private func objection(
    to module: String, in target: ProjectTarget, _ judgement: inout Judgement
  ) -> (LeftOut.Reason, String)? {
    if module == target.module { return nil }
    if let used = targets[module] {
      guard used.kind == .product else {
        return (.module, "imports \(module), which are tests")
      }
      if let other = judgements[module], other.kept.isEmpty {
        return (.module, "imports \(module), of which no file builds on Linux")
      }
      return nil
    }
    if KnownModules.isHere(module) { return nil }
    if let (reason, text) = KnownModules.absence(of: module) { return (reason, text) }
    return objectionToProduct(module, target)
  }

  private func objectionToProduct(
    _ module: String, _ target: ProjectTarget
  ) -> (LeftOut.Reason, String)? {
    guard let package = package(of: module, target) else {
      return (
        .module,
        "imports \(module), which is in no target and no package of the project: CocoaPods', Carthage's or a binary"
      )
    }
    if KnownPackages.onLinux.contains(package.identity) || extraPackages.contains(package.identity)
    {
      return nil
    }
    return (
      .module,
      "imports \(module) of the package \(package.identity), which is not known to build on Linux; "
        + "--with-package \(package.identity) takes it along"
    )
  }

  /// The package that has a product of the module's name.
  func package(of module: String, _ target: ProjectTarget) -> RemotePackage? {
    let named = project.targets.flatMap(\.products).first {
      $0.product == module && $0.package != nil
    }
    if let identity = named?.package,
      let package = project.packages.first(where: { $0.identity == identity })
    {
      return package
    }
    let name = module.lowercased()
    return project.packages.first { package in
      let identity = package.identity
      return identity == name || identity.replacing("-", with: "") == name
        || identity.replacing("swift-", with: "").replacing("-", with: "") == name
    }
  }

  // MARK: - What uses what is left out

  /// Leaves out what mentions a type that only a file that is left out declares, until nothing does.
  private func close(_ judgement: inout Judgement) {
    var absent = foreignTypes
    func note(_ judgement: Judgement) {
      for left in judgement.leftOut {
        guard let facts = facts[Reading(left.file, judgement.target)] else { continue }
        for type in facts.types { absent[type] = left.file.lastPathComponent }
      }
    }
    note(judgement)
    for module in importedTargets(judgement.target.module) {
      if let other = judgements[module] { note(other) }
    }
    while true {
      var known: Set<String> = []
      for facts in judgement.kept { known.formUnion(facts.types) }
      for module in importedTargets(judgement.target.module) {
        for facts in judgements[module]?.kept ?? [] { known.formUnion(facts.types) }
      }
      let kept = judgement.kept
      judgement.kept = []
      for facts in kept {
        let missing = facts.mentions.filter {
          absent[$0.key] != nil && !known.contains($0.key) && !facts.innerTypes.contains($0.key)
        }
        guard let first = missing.min(by: { ($0.value, $0.key) < ($1.value, $1.key) }) else {
          judgement.kept.append(facts)
          continue
        }
        let place = absent[first.key]!
        judgement.leaveOut(
          facts.file, first.value, .dependency,
          "uses \(first.key) of \(place), which is left out", facts)
        for type in facts.types { absent[type] = facts.file.lastPathComponent }
      }
      if judgement.kept.count == kept.count { return }
    }
  }
}
