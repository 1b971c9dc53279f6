import Foundation

/// A project, the verdict on its sources, and the Linux package made of it.
public struct Porting {
  /// The settings of a port.
  public struct Options: Sendable {
    /// The folder of the package; nil means `Linux` beside the project.
    public var output: URL?
    /// The location of OpenCoreData: a folder or an address.
    public var openCoreData: String
    /// Identities of packages to depend on that are not known to build on Linux.
    public var packages: Set<String> = []
    /// Folders of packages that use Core Data themselves and are ported with the project.
    public var packageFolders: [URL] = []
    /// Folders with sources that stand in for modules, by the modules' names.
    public var modules: [String: URL] = [:]
    /// Targets to leave out, by target or module name.
    public var without: Set<String> = []
    /// Conditions that hold in every `#if`, in addition to those of the targets: names, or
    /// platforms as in `os(macOS)`.
    public var conditions: [String] = []
    /// The declarations that the compiler refuses; nil means those recorded in the package.
    public var refusals: Refusals?

    /// Creates settings with defaults and the location of OpenCoreData.
    public init(openCoreData: String) { self.openCoreData = openCoreData }
  }

  let project: Project
  let judgements: [Judgement]
  let judge: Judge
  let options: Options
  let refusals: Refusals
  /// The folder of the package.
  public let output: URL

  /// Reads and judges a project without writing anything.
  /// - Parameter path: an `.xcodeproj`, an `.xcworkspace`, a `Package.swift`, a `.podspec`, or a
  ///   folder with one of them.
  /// - Throws: `PortError` if the project cannot be read, a target to leave out does not exist, or
  ///   no target uses Core Data.
  public init(_ path: URL, _ options: Options) throws {
    var project = try Projects.read(path)
    for folder in options.packageFolders { project.add(try Self.package(folder)) }
    for (name, folder) in options.modules.sorted(by: { $0.key < $1.key }) {
      project.targets.append(try Self.standIn(name, folder: folder, in: project))
    }
    if let unknown = options.without.first(where: { name in
      !project.targets.contains { $0.name == name || $0.module == name }
    }) {
      throw PortError(
        "\(path.path): there is no target \(unknown) to leave out; there are \(project.targets.map(\.name).joined(separator: ", "))"
      )
    }
    project.targets.removeAll {
      options.without.contains($0.name) || options.without.contains($0.module)
    }
    let conditions = options.conditions + options.modules.keys.sorted().map { "canImport(\($0))" }
    for index in project.targets.indices {
      let known = project.targets[index].conditions
      project.targets[index].conditions += conditions.filter { !known.contains($0) }
    }
    let output = Self.output(project, options: options)
    let refusals = try options.refusals ?? Refusals(of: output)
    var judge = Judge(
      project, extraPackages: Set(options.packages.map { $0.lowercased() }),
      own: OwnSources(output, targets: project.targets), refusals: refusals)
    self.init(
      project, judgements: try judge.judged(), judge: judge, options: options, refusals: refusals)
    if judgements.isEmpty {
      throw PortError(
        "\(path.path): none of its \(project.targets.count) targets uses Core Data: no source imports it, and there is no model"
      )
    }
  }

  private static func output(_ project: Project, options: Options) -> URL {
    (options.output ?? project.folder.appendingPathComponent("Linux")).standardizedFileURL
  }

  /// Reads a package that the project uses, without its tests.
  private static func package(_ folder: URL) throws -> Project {
    guard folder.appendingPathComponent("Package.swift").isThere else {
      throw PortError(
        "\(folder.path): expected the folder of a package, with a Package.swift, as --with-package names one"
      )
    }
    var package = try PackageManifest(folder.standardizedFileURL, visited: VisitedPlaces()).read()
    package.targets.removeAll { $0.kind == .tests }
    for index in package.targets.indices { package.targets[index].isOfAnotherPackage = true }
    return package
  }

  /// A target of the sources that stand in for a module.
  private static func standIn(
    _ name: String, folder: URL, in project: Project
  ) throws -> ProjectTarget {
    if project.targets.contains(where: { $0.module == name }) {
      throw PortError("--with-module \(name): the project has a target of this name")
    }
    if KnownModules.isHere(name) || InterfaceWords.replacedModules.contains(name) {
      throw PortError(
        "--with-module \(name): a port has this module, or Foundation in its place; what is missing in it goes into "
          + "sources of the package's own, Linux/Sources/TARGET/NAME.swift")
    }
    var target = ProjectTarget(name: name, module: name.asModuleName, kind: .product)
    target.isOfAnotherPackage = true
    let files = FolderFiles.all(in: folder.standardizedFileURL)
    for file in files where file.pathExtension == "swift" { target.add(file) }
    guard !target.sources.isEmpty, name == target.module else {
      throw PortError(
        "--with-module \(name)=\(folder.path): expected the name of a module and a folder with its Swift sources"
      )
    }
    return target
  }

  private init(
    _ project: Project, judgements: [Judgement], judge: Judge, options: Options,
    refusals: Refusals
  ) {
    self.project = project
    self.refusals = refusals
    self.judgements = judgements
    self.judge = judge
    self.options = options
    output = Self.output(project, options: options)
    managedClasses = ManagedClasses(judgements)
    products = Dictionary(
      judgements.map { judgement in
        let packages = judgement.imports.sorted().compactMap { module -> (String, RemotePackage)? in
          let isTarget = project.targets.contains { $0.module == module }
          guard !isTarget, !KnownModules.isHere(module) else { return nil }
          return judge.package(of: module).map { (module, $0) }
        }
        return (judgement.target.module, packages)
      }, uniquingKeysWith: { first, _ in first })
  }

  /// The managed object classes of all targets and models.
  let managedClasses: ManagedClasses

  /// Packages whose modules the kept files of a target import, by the target's module.
  let products: [String: [(module: String, package: RemotePackage)]]

  /// The targets with something to build, macros excepted.
  var built: [Judgement] {
    judgements.filter {
      $0.target.kind != .macro && !($0.kept.isEmpty && $0.own.isEmpty && models($0).isEmpty)
    }
  }

  /// The targets that implement macros.
  var macros: [Judgement] { judgements.filter { $0.target.kind == .macro } }

  func models(_ judgement: Judgement) -> [URL] {
    judgement.target.models.filter { $0.isThere }
  }

  /// The built sources by target, with the paths of the declarations to remove (`without`) and the
  /// target's conditions. Sources of one target are rewritten together, since they refer to each
  /// other.
  public var sources: [(files: [(url: URL, without: [String])], conditions: [String])] {
    built.map { judgement in
      (
        files: judgement.kept.map { (url: $0.file, without: $0.pathsLeftOut) },
        conditions: judgement.target.conditions
      )
    }
  }

  /// Abbreviates a path for reports.
  public func shortPath(_ path: String) -> String { project.shortPath(path) }

  /// The number of files that are built.
  var countBuilt: Int { built.reduce(0) { $0 + $1.compiled.count } }

  /// What a check cannot know, in words: it judges as a build does, but by names, and has of the
  /// compiler only what that refused in the last build.
  public var limitsOfKnowledge: String {
    refusals.isEmpty
      ? "Judged by names: which declarations of these \(countBuilt) files the compiler refuses, and which tests with them, only --build tells."
      : "Judged by names, and by the \(refusals.count) refusals of the last --build in \(Refusals.fileName): what has changed since, only another tells."
  }

  /// The report on this port.
  public var report: PortReport { PortReport(self) }

  /// The contents of the package, by paths relative to its folder.
  func files() throws -> [String: PackageFile] { try PackageFiles(self).all() }

  /// Writes the package.
  /// - Returns: the paths of files that changed.
  public func write() throws -> [String] {
    try PackageWriter(output).write(files())
  }

  /// The paths of an existing package's files that differ from what would be written now; empty if
  /// no package was written.
  public func outdated() throws -> [String] {
    let writer = PackageWriter(output)
    return writer.isWritten ? try writer.differences(files()) : []
  }
}
