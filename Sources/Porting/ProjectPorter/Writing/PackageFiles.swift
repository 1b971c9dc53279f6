import Foundation

/// The files of the package: the manifest, and for each target a configuration, one generated
/// source and the resources.
struct PackageFiles {
  static let mark =
    "Written by `swift package port`, which writes it anew: change the project instead."

  private let porting: Porting

  init(_ porting: Porting) { self.porting = porting }

  func all() throws -> [String: PackageFile] {
    var files: [String: PackageFile] = [
      "Package.swift": .data(Data(Manifest(porting).text.utf8))
    ]
    if !porting.refusals.isEmpty {
      files[Refusals.fileName] = .data(Data(porting.refusals.text.utf8))
    }
    for judgement in porting.built {
      let folder = Self.folder(of: judgement.target)
      files["\(folder)/ported.json"] = .data(try configuration(judgement, folder: folder))
      files["\(folder)/Ported.swift"] = .data(Data(ownSource(judgement).utf8))
      for (name, file) in resources(judgement.target) {
        files["\(folder)/Resources/\(name)"] = .data(try Data(contentsOf: file))
      }
      for (name, data) in try tables(judgement.target) {
        files["\(folder)/Resources/\(name)"] = .data(data)
      }
    }
    for judgement in porting.macros {
      guard let place = judgement.target.folder else { continue }
      let folder = Self.folder(of: judgement.target)
      let parent = porting.output.appendingPathComponent(folder).deletingLastPathComponent()
      files[folder] = .link(RelativePath.from(parent, to: place))
    }
    return files
  }

  static func folder(of target: ProjectTarget) -> String {
    let room =
      switch target.kind {
      case .tests: "Tests"
      case .macro: "Macros"
      default: "Sources"
      }
    return "\(room)/\(target.module)"
  }

  /// Lists the built files by name, so that a file added to the project later is judged before it
  /// is built.
  private func configuration(_ judgement: Judgement, folder: String) throws -> Data {
    let base = porting.output.appendingPathComponent(folder)
    let sources = judgement.kept.map(\.file) + porting.models(judgement)
    var configuration: [String: Any] = [
      "sources": sources.map { RelativePath.from(base, to: $0) }.sorted()
    ]
    let without = judgement.kept.filter { !$0.pathsLeftOut.isEmpty }.map {
      ($0.file.lastPathComponent, $0.pathsLeftOut)
    }
    if !without.isEmpty {
      configuration["without"] = Dictionary(without) { first, _ in first }
    }
    let conditions =
      judgement.target.conditions
      + (judgement.target.saysIsolation ? ["defaultIsolation(MainActor)"] : [])
      + bundleIdentifier(judgement) + managedClasses(judgement)
    if !conditions.isEmpty { configuration["conditions"] = conditions }
    return try JSONSerialization.data(
      withJSONObject: configuration,
      options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
      + Data("\n".utf8)
  }

  /// The identifier of the target's bundle as a condition, where a source asks for one.
  private func bundleIdentifier(_ judgement: Judgement) -> [String] {
    let isAsked = judgement.kept.contains { $0.memberMentions["bundleIdentifier"] != nil }
    guard isAsked, let name = judgement.target.bundleIdentifier else { return [] }
    return ["bundleIdentifier(\(name))"]
  }

  /// What the sources name of models and of other modules, as conditions: copies treat subclasses
  /// and objects of managed classes there as those of the target's own, and so generated sets.
  private func managedClasses(_ judgement: Judgement) -> [String] {
    let (classes, kept) = (porting.managedClasses, judgement.kept)
    let own = kept.reduce(into: Set<String>()) { $0.formUnion($1.types) }
    let foreign = classes.names.subtracting(own).filter { name in
      kept.contains { $0.mentions[name] != nil }
    }
    let toMany = classes.toMany.filter { name in kept.contains { $0.places[name] != nil } }
    return foreign.sorted().map { "managedObject(\($0))" }
      + toMany.sorted().map { "toMany(\($0))" }
  }

  private func ownSource(_ judgement: Judgement) -> String {
    let exports = ["FoundationSupport"] + judgement.exports.sorted()
    let names = clashingNames(judgement)
    return """
      // \(Self.mark)

      // For all files of the module: what they import without saying so on Apple's systems.
      \(exports.map { "@_exported import \($0)" }.joined(separator: "\n"))

      """ + lenders(judgement) + bundle(judgement) + bareClasses(judgement)
        + (judgement.target.kind == .tests ? Self.unchecked : "")
        + (names.isEmpty ? "" : "\n// Foundation has such names too.\n" + names.joined())
  }

  /// An extension with `Bundle.module`, if a source uses it and no resource of the module is
  /// ported: SwiftPM synthesises the property only for targets with resources.
  private func bundle(_ judgement: Judgement) -> String {
    let isMentioned = judgement.compiled.contains {
      $0.mentions["Bundle"] != nil && $0.memberMentions["module"] != nil
    }
    guard isMentioned, resourcePaths(judgement.target).isEmpty,
      porting.models(judgement).isEmpty
    else { return "" }
    return """

      // None of the module's resources is of use here.
      import Foundation
      extension Bundle { static var module: Bundle { .main } }

      """
  }

  /// What tests do before they run: on Apple's systems they may use contexts from anywhere.
  private static let unchecked = """

    // Contexts are checked where OPENCOREDATA_CONCURRENCY_DEBUG=1 asks for it, as on Apple's systems.
    import ObjectiveCSupport
    @section(".init_array") @used
    private let leaveContextsUnchecked: @convention(c) () -> Void = {
      ObjectiveCSupport.leaveContextsUnchecked()
    }

    """

  /// The classes of the target's models whose files are left out. Generated properties are theirs,
  /// and name them as types.
  private func bareClasses(_ judgement: Judgement) -> String {
    let classes = judgement.bareClasses
    let seen = judgement.kept.reduce(into: Set(classes.keys)) { $0.formUnion($1.publicTypes) }
    let texts = classes.sorted { $0.key < $1.key }.map { name, superclass in
      let access = superclass == "NSManagedObject" || seen.contains(superclass) ? "public " : ""
      return "\(access)class \(name): \(superclass) {}\n"
    }
    return texts.isEmpty
      ? "" : "\n// The files of these classes are left out.\nimport CoreData\n" + texts.joined()
  }

  private func lenders(_ judgement: Judgement) -> String {
    let lenders = judgement.lenders.sorted().map { "import \($0)\n" }
    return lenders.isEmpty
      ? "" : "\n// What they use members of without importing it.\n" + lenders.joined()
  }

  /// Types that newer versions of Foundation have too; such a name is ambiguous in a file that
  /// imports both modules.
  private static let newInFoundation: Set<String> = ["Expression", "Predicate", "SortDescriptor"]

  private func clashingNames(_ judgement: Judgement) -> [String] {
    let mentioned = judgement.kept.reduce(into: Set<String>()) { $0.formUnion($1.mentions.keys) }
    let own = judgement.kept.reduce(into: Set<String>()) { $0.formUnion($1.types) }
    let wanted = Self.newInFoundation.intersection(mentioned).subtracting(own)
    return porting.built.filter { judgement.imports.contains($0.target.module) }.flatMap { other in
      let names = wanted.filter { name in
        other.kept.contains { $0.publicTypes.contains(name) }
      }
      return names.isEmpty
        ? []
        : ["import \(other.target.module)\n"] + names.sorted().map { self.name($0, of: other) }
    }
  }

  /// The declaration that makes a name the module's. In a module with a type of its own name,
  /// `Module.Name` would be a member of that.
  private func name(_ name: String, of other: Judgement) -> String {
    let module = other.target.module
    let declaration = other.kept.flatMap(\.declarations).first {
      $0.kind == .type && $0.container == nil && $0.name == name
    }
    guard other.kept.contains(where: { $0.types.contains(module) }),
      let keyword = declaration?.keyword, keyword != "actor"
    else { return "typealias \(name) = \(module).\(name)\n" }
    return "@_exported import \(keyword) \(module).\(name)\n"
  }

  // MARK: - Resources

  /// Extensions of files that tests and models read; pictures, sounds and screens are left out.
  private static let kinds: Set<String> = [
    "json", "plist", "strings", "stringsdict", "sqlite", "db", "csv", "txt", "xml", "html", "md",
    "momd", "mom", "ics",
    "geojson", "dat", "sql", "xhtml", "rss", "opml", "jsonl", "tsv",
  ]

  /// The resources by their paths in the folder `Resources`. Folders of languages are kept;
  /// everything else lies flat, as in a bundle.
  func resources(_ target: ProjectTarget) -> [String: URL] {
    var resources: [String: URL] = [:]
    for file in target.resources
    where Self.kinds.contains(file.pathExtension.lowercased())
      && !["Info.plist", "GoogleService-Info.plist"].contains(file.lastPathComponent)
    {
      guard file.isThere, !file.isFolder else { continue }
      let folder = file.deletingLastPathComponent().lastPathComponent
      let name = (folder.hasSuffix(".lproj") ? "\(folder)/" : "") + file.lastPathComponent
      resources[name] = resources[name] ?? file
    }
    return resources
  }

  /// Catalogs of texts, which are written as tables.
  private func catalogs(_ target: ProjectTarget) -> [URL] {
    target.resources.filter { $0.pathExtension == "xcstrings" && $0.isThere }
  }

  private func tables(_ target: ProjectTarget) throws -> [String: Data] {
    try catalogs(target).reduce(into: [:]) { tables, file in
      tables.merge(try StringCatalog(file).tables) { first, _ in first }
    }
  }

  /// The paths of all resources in the folder `Resources`, without languages of a catalog.
  func resourcePaths(_ target: ProjectTarget) -> [String] {
    resources(target).keys
      + catalogs(target).map { "*.lproj/" + $0.deletingPathExtension().lastPathComponent }
  }
}

enum RelativePath {
  /// The relative path from a folder to a file.
  static func from(_ folder: URL, to file: URL) -> String {
    let (from, to) = (
      folder.standardizedFileURL.pathComponents, file.standardizedFileURL.pathComponents
    )
    let common = zip(from, to).prefix { $0 == $1 }.count
    return (Array(repeating: "..", count: from.count - common) + to[common...]).joined(
      separator: "/")
  }
}
