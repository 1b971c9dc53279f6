import Foundation

/// A project, what of it is built on Linux, and the package that does.
public struct Porting {
  public struct Options: Sendable {
    /// The folder of the package; `Linux` beside the project where nothing is said.
    public var output: URL?
    /// Where OpenCoreData is: a folder or an address.
    public var openCoreData: String
    /// Packages to take along that are not known to build on Linux.
    public var packages: Set<String> = []
    /// Folders of packages that use Core Data themselves and are ported too.
    public var packageFolders: [URL] = []
    /// Targets that are no part of the package.
    public var without: Set<String> = []
    /// What holds in all `#if` beside what targets say: names, or platforms as in `os(macOS)`.
    public var conditions: [String] = []
    /// What the compiler refuses; what the package says where nothing is said.
    public var refusals: Refusals?

    public init(openCoreData: String) { self.openCoreData = openCoreData }
  }

  let project: Project
  let judgements: [Judgement]
  let options: Options
  let refusals: Refusals
  public let output: URL

  public init(_ path: URL, _ options: Options) throws {
    var project = try Projects.read(path)
    for folder in options.packageFolders { project.add(try Self.package(folder)) }
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
    for index in project.targets.indices {
      let known = project.targets[index].conditions
      project.targets[index].conditions += options.conditions.filter { !known.contains($0) }
    }
    let output = Self.output(project, options)
    let refusals = try options.refusals ?? Refusals(of: output)
    var judge = Judge(
      project, extraPackages: Set(options.packages.map { $0.lowercased() }),
      own: OwnSources(output, project.targets), refusals: refusals)
    self.init(project, try judge.judged(), judge, options, refusals)
    if judgements.isEmpty {
      throw PortError(
        "\(path.path): none of its \(project.targets.count) targets uses Core Data: no source imports it, and there is no model"
      )
    }
  }

  private static func output(_ project: Project, _ options: Options) -> URL {
    (options.output ?? project.folder.appendingPathComponent("Linux")).standardizedFileURL
  }

  /// A package that the project uses, without its tests.
  private static func package(_ folder: URL) throws -> Project {
    guard folder.appendingPathComponent("Package.swift").isThere else {
      throw PortError(
        "\(folder.path): expected the folder of a package, with a Package.swift, as --with-package names one"
      )
    }
    var package = try PackageManifest(folder.standardizedFileURL, VisitedPlaces()).read()
    package.targets.removeAll { $0.kind == .tests }
    for index in package.targets.indices { package.targets[index].isOfAnotherPackage = true }
    return package
  }

  private init(
    _ project: Project, _ judgements: [Judgement], _ judge: Judge, _ options: Options,
    _ refusals: Refusals
  ) {
    self.project = project
    self.refusals = refusals
    self.judgements = judgements
    self.options = options
    output = Self.output(project, options)
    products = Dictionary(
      judgements.map { judgement in
        let packages = judgement.imports.sorted().compactMap { module -> (String, RemotePackage)? in
          let isTarget = project.targets.contains { $0.module == module }
          guard !isTarget, !KnownModules.isHere(module) else { return nil }
          return judge.package(of: module, judgement.target).map { (module, $0) }
        }
        return (judgement.target.module, packages)
      }, uniquingKeysWith: { first, _ in first })
  }

  /// What a target's kept files import of packages, by module of the target.
  let products: [String: [(module: String, package: RemotePackage)]]

  /// Targets of which something is left to build.
  var built: [Judgement] {
    judgements.filter {
      $0.target.kind != .macro && !($0.kept.isEmpty && $0.own.isEmpty && models($0).isEmpty)
    }
  }

  /// What expands the macros of these targets.
  var macros: [Judgement] { judgements.filter { $0.target.kind == .macro } }

  func models(_ judgement: Judgement) -> [URL] {
    judgement.target.models.filter { $0.isThere }
  }

  /// The sources of each target that are built, which know each other.
  public var sources: [(files: [(url: URL, without: [String])], conditions: [String])] {
    built.map { judgement in
      (
        files: judgement.kept.map { (url: $0.file, without: $0.pathsLeftOut) },
        conditions: judgement.target.conditions
      )
    }
  }

  /// A path as reports have it.
  public func shortPath(_ path: String) -> String { project.shortPath(path) }

  /// How many files are built.
  var countBuilt: Int { built.reduce(0) { $0 + $1.compiled.count } }

  public var report: PortReport { PortReport(self) }

  /// The package's files, by their paths in its folder.
  func files() throws -> [String: PackageFile] { try PackageFiles(self).all() }

  /// Writes the package.
  /// - Returns: the paths of what has changed.
  public func write() throws -> [String] {
    try PackageWriter(output).write(files())
  }

  /// What a package that was written before has otherwise than it would be written now; empty where none was written.
  public func outdated() throws -> [String] {
    let writer = PackageWriter(output)
    return writer.isWritten ? try writer.differences(files()) : []
  }
}
