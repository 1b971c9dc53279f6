// Reasons in the file itself why it is not built.

extension Judge {
  func objection(
    to facts: SourceFacts, in target: ProjectTarget, _ judgement: inout Judgement
  ) -> (Int?, LeftOut.Reason, String)? {
    for imported in facts.imports {
      if InterfaceWords.replacedModules.contains(imported.module) {
        guard let (word, line) = interface(of: imported.module, in: facts) else { continue }
        return imported.module == "CoreFoundation"
          ? (line, .service, "uses \(word) of CoreFoundation, a part of Apple's systems")
          : (line, .interface, "uses \(word) of \(imported.module): it needs a user interface")
      }
      if isUnused(imported.module, facts: facts) { continue }
      if let use = useOfMissing(imported.module, in: facts) { return use }
      if let (reason, text) = objection(to: imported.module, in: target, &judgement) {
        return (imported.line, reason, text)
      }
    }
    // UIKit may be visible through another module's import.
    if let (word, line) = interface(of: "UIKit", in: facts, prefix: "UI") {
      return (line, .interface, "uses \(word) of UIKit: it needs a user interface")
    }
    if let (word, line) = firstMention(in: facts, where: { isLacking($0, facts: facts) }) {
      return (line, .service, "uses \(word), which Foundation lacks on Linux")
    }
    if let (word, line) = lackingOfSecurity(facts).min(by: {
      ($0.value, $0.key) < ($1.value, $1.key)
    }) {
      return (line, .service, "uses \(word) of Security, whose stand-in lacks it")
    }
    if let (word, line) = firstMention(in: facts, where: { facts.typesLeft[$0] != nil }) {
      return (line, .service, "uses \(Self.left(word, facts: facts))")
    }
    if let (word, line) = facts.calls.filter({ isMissing($0.key, facts: facts) })
      .min(by: { ($0.value, $0.key) < ($1.value, $1.key) })
    {
      return (line, .service, "uses \(word), which the C library lacks on Linux")
    }
    // Foundation re-exports these on Apple's systems.
    for (module, words) in InterfaceWords.broughtAlong where uses(words, of: module, facts: facts) {
      judgement.exports.insert(module)
    }
    // CoreData is imported by a header of the target.
    if !facts.importsCoreData, Self.coreData.contains(where: { facts.mentions[$0] != nil }) {
      judgement.exports.insert("CoreData")
    }
    if facts.calls.keys.contains(where: { $0.hasPrefix("os_unfair_lock") }) {
      judgement.exports.insert("os")
    }
    if let line = facts.entryLine {
      return (line, .entry, "starts the application, which tests do themselves")
    }
    if facts.file.lastPathComponent == "main.swift" {
      return (nil, .entry, "starts the application, which tests do themselves")
    }
    return nil
  }

  /// Modules that are missing here and of which the file uses no type; its copy does not import
  /// them.
  func unusedImports(of facts: SourceFacts) -> Set<String> {
    Set(facts.imports.map(\.module).filter { isUnused($0, facts: facts) })
  }

  /// Returns true if the module is missing here and no word of the file can belong to it. C modules
  /// are recognised by the prefixes of their words. For any other module, every word that may be a
  /// type must belong to the project, to Swift or to a module that is here.
  ///
  /// A file may still use members that the module adds to other types: the compiler refuses those.
  private func isUnused(_ module: String, facts: SourceFacts) -> Bool {
    isMissing(module) && wordsOfMissing(module, facts: facts).isEmpty
  }

  /// Returns true if the module is one of Apple's that neither is here nor is replaced, or one of a
  /// package or pod that is not known to build on Linux.
  func isMissing(_ module: String) -> Bool {
    targets[module] == nil && !assumed.contains(module)
      && !InterfaceWords.replacedModules.contains(module)
      && !KnownModules.isHere(module)
      && (KnownModules.absence(of: module) != nil || objection(toProduct: module) != nil)
  }

  /// The words of the file that may belong to a module that is missing here.
  private func wordsOfMissing(_ module: String, facts: SourceFacts) -> Set<String> {
    if let words = KnownModules.ofC(module, words: Array(facts.places.keys)) { return words }
    return Set(
      facts.mentions.keys.filter {
        $0.count > 2 && !Self.ofTheLanguage.contains($0) && !KnownNames.all.contains($0)
          && !isOwn($0, facts: facts) && targets[$0] == nil
          && !InterfaceWords.isBroughtAlong($0) && !KnownModules.isForeign($0, to: module)
          && (importsWithWord[$0]?.contains(module) ?? true
            || KnownModules.isTypical($0, of: module))
      })
  }

  /// Words with a capital letter that name no type of a module, attributes among them.
  private static let ofTheLanguage: Set<String> = [
    "Any", "GKInspectable", "IBAction", "IBDesignable", "IBInspectable", "IBOutlet",
    "IBSegueAction", "NSApplicationMain", "NSCopying", "NSManaged", "Protocol", "Self", "Type",
    "UIApplicationMain",
  ]

  /// The first use of a module that is missing here.
  private func useOfMissing(
    _ module: String, in facts: SourceFacts
  ) -> (Int?, LeftOut.Reason, String)? {
    guard isMissing(module), !KnownModules.hasAnyName(module) else { return nil }
    let uses = wordsOfMissing(module, facts: facts).compactMap { word in
      facts.places[word]?.values.min().map { (word: word, line: $0) }
    }
    return uses.min { ($0.line, $0.word) < ($1.line, $1.word) }.map { word, line in
      if let (reason, _) = KnownModules.absence(of: module) {
        return (line, reason, KnownModules.absence(of: word, in: module))
      }
      return (line, .module, "uses \(word) of \(module)\(objection(toProduct: module) ?? "")")
    }
  }

  /// The words of modules that are missing here, each with a description for reports.
  private func wordsOfMissingModules(_ facts: SourceFacts) -> [(String, String)] {
    facts.imports.map(\.module).filter { isMissing($0) && !KnownModules.hasAnyName($0) }
      .flatMap { module in
        wordsOfMissing(module, facts: facts).map { ($0, "\($0) of \(module)") }
      }
  }

  /// Words that cause an objection to the file, each with its description for reports.
  func foreignWords(of facts: SourceFacts) -> [String: String] {
    let modules = facts.imports.map(\.module).filter(InterfaceWords.replacedModules.contains)
    let words = facts.mentions.keys.compactMap { word -> (String, String)? in
      if isOwn(word, facts: facts) { return nil }
      if let module = modules.first(where: { InterfaceWords.isInterface(word, of: $0) }) {
        return (word, "\(word) of \(module)")
      }
      if word.hasPrefix("UI"), InterfaceWords.isInterface(word, of: "UIKit") {
        return (word, "\(word) of UIKit")
      }
      if facts.typesLeft[word] != nil { return (word, Self.left(word, facts: facts)) }
      return isLacking(word, facts: facts)
        ? (word, "\(word), which Foundation lacks on Linux") : nil
    }
    let security = lackingOfSecurity(facts).keys
      .map { ($0, "\($0) of Security, whose stand-in lacks it") }
    let functions = facts.calls.keys.filter { isMissing($0, facts: facts) }
      .map { ($0, "\($0), which the C library lacks on Linux") }
    return Dictionary(words + security + functions + wordsOfMissingModules(facts)) { first, _ in
      first
    }
  }

  private static func left(_ word: String, facts: SourceFacts) -> String {
    let platforms = (facts.typesLeft[word] ?? []).sorted().joined(separator: ", ")
    return "\(word), which it declares for \(platforms) alone"
  }

  /// Returns true if Foundation lacks the type and no stand-in that the file imports has it.
  private func isLacking(_ word: String, facts: SourceFacts) -> Bool {
    FoundationGaps.lacks(word)
      && !(SecurityWords.here.contains(word) && seesSecurity(facts))
  }

  private func seesSecurity(_ facts: SourceFacts) -> Bool {
    facts.imports.contains { $0.module == "Security" }
      || SecurityWords.functions.contains { facts.calls[$0] != nil }
  }

  /// Words of Security that its stand-in lacks, with the first line of each.
  private func lackingOfSecurity(_ facts: SourceFacts) -> [String: Int] {
    guard seesSecurity(facts) else { return [:] }
    let words = facts.places.filter {
      SecurityWords.isLacking($0.key) && !isOwn($0.key, facts: facts)
    }
    return words.compactMapValues { $0.values.min() }
  }

  private func isMissing(_ function: String, facts: SourceFacts) -> Bool {
    FoundationGaps.functions.contains(function) && !facts.functions.contains(function)
  }

  private static let coreData = [
    "NSManagedObject", "NSManagedObjectContext", "NSEntityDescription", "NSFetchRequest",
    "NSPersistentContainer", "NSManagedObjectModel", "NSPersistentStoreCoordinator",
  ]

  /// The first type of the module that the file uses; nil if it imports the module only for what
  /// that re-exports.
  private func interface(
    of module: String, in facts: SourceFacts, prefix: String = ""
  ) -> (String, Int)? {
    firstMention(in: facts) {
      $0.hasPrefix(prefix) && InterfaceWords.isInterface($0, of: module)
    }
  }

  /// The first matching type that the file mentions and the project does not declare, with its
  /// line.
  private func firstMention(
    in facts: SourceFacts, where isMeant: (String) -> Bool
  ) -> (String, Int)? {
    facts.mentions.filter { isMeant($0.key) && !isOwn($0.key, facts: facts) }
      .min { ($0.value, $0.key) < ($1.value, $1.key) }
      .map { ($0.key, $0.value) }
  }

  /// Returns true if the file uses one of the words without importing their module.
  private func uses(_ words: Set<String>, of module: String, facts: SourceFacts) -> Bool {
    !facts.imports.contains { $0.module == module }
      && words.contains { word in
        (facts.mentions[word] ?? facts.calls[word]) != nil && !isOwn(word, facts: facts)
      }
  }

  /// Returns true if a file of the project declares a type of this name.
  private func isOwn(_ word: String, facts: SourceFacts) -> Bool {
    facts.types.contains(word) || facts.innerTypes.contains(word) || declared.contains(word)
  }

  private func objection(
    to module: String, in target: ProjectTarget, _ judgement: inout Judgement
  ) -> (LeftOut.Reason, String)? {
    if module == target.module || assumed.contains(module) { return nil }
    if let used = targets[module] {
      if used.kind == .macro, target.kind == .tests { return nil }
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
    return objection(toProduct: module).map { (.module, "imports \(module)\($0)") }
  }

  /// Why a module that is none of Apple's cannot be imported here, as the end of a sentence; nil if
  /// it can.
  private func objection(toProduct module: String) -> String? {
    guard let package = package(of: module) else {
      return
        ", which is in no target and no package of the project: CocoaPods', Carthage's or a binary"
    }
    if let failure = refusals.ofPackage(package.identity) {
      return " of the package \(package.identity), which \(failure)"
    }
    if KnownPackages.isOnLinux(package) || extraPackages.contains(package.identity) {
      return nil
    }
    return
      " of the package \(package.identity), which is not known to build on Linux; --with-package \(package.identity) takes it along, "
      + "and --with-package FOLDER ports it where it uses Core Data"
  }

  /// The package with a product of the module's name, found in the targets' product uses or by the
  /// package's identity.
  func package(of module: String) -> RemotePackage? {
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
}
