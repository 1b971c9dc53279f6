import Foundation

/// A project's targets and packages, independent of the kind of file they were read from.
public struct Project {
  /// The name of the project, workspace or package.
  public var name: String
  /// The folder that contains the project's file.
  public var folder: URL
  /// The development language, used for texts not localised into a user's language.
  public var language = "en"
  /// The targets, at most one for each module.
  public var targets: [ProjectTarget] = []
  /// The packages that the project fetches.
  public var packages: [RemotePackage] = []
  /// Objective-C headers of all targets; a bridging header may import them into Swift.
  public var headers: [URL] = []

  /// Creates a project without targets.
  public init(name: String, folder: URL) {
    self.name = name
    self.folder = folder
  }

  /// Adds a target. If two targets have one module, as for iOS and for macOS, the first is kept:
  /// both cannot be built in one package. Of tests for several platforms with the same sources the
  /// first are kept too.
  mutating func add(_ target: ProjectTarget) {
    let sources = Set(target.sources)
    let isKnown = targets.contains { other in
      other.module == target.module
        || target.kind == .tests && other.kind == .tests && !sources.isEmpty
          && Set(other.sources) == sources
    }
    if !isKnown { targets.append(target) }
  }

  mutating func add(_ others: [RemotePackage]) {
    for package in others where !packages.contains(where: { $0.identity == package.identity }) {
      packages.append(package)
    }
  }

  /// Abbreviates a path for reports: relative to the project's folder if it lies inside.
  func shortPath(_ path: String) -> String {
    let root = folder.path + "/"
    return path.hasPrefix(root) ? String(path.dropFirst(root.count)) : path
  }

  /// Adds the targets, packages and headers of another project of the workspace.
  mutating func add(_ other: Project) {
    for target in other.targets { add(target) }
    add(other.packages)
    headers += other.headers
  }
}

/// A target with its files.
public struct ProjectTarget {
  /// The role of a target in a port.
  public enum Kind: Sendable {
    /// Tests that need no application on a screen.
    case tests
    /// Tests that drive an application on a screen.
    case interfaceTests
    /// A macro implementation; runs on the compiler's machine, so its sources are used unchanged.
    case macro
    /// Any other target, used by others or run.
    case product
  }

  /// The target's name in the project.
  public var name: String
  /// The name of the target's module.
  public var module: String
  /// The role of the target.
  public var kind: Kind
  /// Whether the target is ported only if another target uses it.
  public var isOfAnotherPackage = false
  /// The target's folder, for targets of packages.
  public var folder: URL?
  /// Swift sources.
  public var sources: [URL] = []
  /// Sources in C, Objective-C and C++.
  public var foreignSources: [URL] = []
  /// Data models and mapping models.
  public var models: [URL] = []
  /// All other files except headers and build settings.
  public var resources: [URL] = []
  /// Names of targets that are built before this one.
  public var dependencies: [String] = []
  /// Products of packages that the target links.
  public var products: [ProductUse] = []
  /// Compilation conditions of the debug build, without `DEBUG`.
  public var conditions: [String] = []
  /// The identifier of the target's bundle (`PRODUCT_BUNDLE_IDENTIFIER`).
  public var bundleIdentifier: String?
  /// The language version (`SWIFT_VERSION`); 5 by default.
  public var swiftVersion = 5.0
  /// Other settings that change the meaning of the sources.
  public var language = LanguageSettings()
  /// Whether copies say at each declaration that it belongs to the main actor: the compiler's
  /// setting does not suit the classes of XCTest here.
  var saysIsolation: Bool { kind == .tests && language.isOfMainActor }

  /// Creates a target without files.
  public init(name: String, module: String, kind: Kind) {
    self.name = name
    self.module = module
    self.kind = kind
  }

  /// Paths of the files added so far.
  private var added: Set<String> = []

  /// Adds a file to the list for its kind, once: a project may name a file that also lies in the
  /// target's folder.
  mutating func add(_ file: URL) {
    guard added.insert(file.path).inserted else { return }
    switch file.pathExtension.lowercased() {
    case "swift": sources.append(file)
    case "m", "mm", "c", "cpp", "cc", "cxx": foreignSources.append(file)
    case "xcdatamodeld", "xcdatamodel", "xcmappingmodel": models.append(file)
    case "h", "hpp", "pch", "modulemap", "xcconfig", "entitlements": break
    default: resources.append(file)
    }
  }
}

/// A product of a package; the package may be a local one that is read as part of the project.
public struct ProductUse: Hashable, Sendable {
  /// The name of the product.
  public var product: String
  /// The identity of the package; nil if the project does not name it.
  public var package: String?
}

/// A package fetched from an address.
public struct RemotePackage: Sendable {
  /// The address of the repository.
  public var url: String
  /// The version requirement as a manifest writes it: `from: "1.2.0"`.
  public var requirement: String

  /// The identity of the package: the last component of its address, lowercased, without `.git`.
  public var identity: String {
    var name = url.split(separator: "/").last.map(String.init) ?? url
    if name.hasSuffix(".git") { name.removeLast(4) }
    return name.lowercased()
  }

  /// Whose the package is: the component before the last, lowercased.
  var owner: String? {
    let parts = url.split { "/:".contains($0) }
    return parts.count > 2 ? parts[parts.count - 2].lowercased() : nil
  }
}

extension String {
  /// The text as a module's name: characters other than letters and digits become underscores.
  var asModuleName: String {
    var name = String(map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" })
    if name.first?.isNumber == true { name = "_" + name.dropFirst() }
    return name
  }
}
