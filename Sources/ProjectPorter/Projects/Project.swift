import Foundation

/// What a project says of its targets, whatever kind of file says it.
public struct Project {
  public var name: String
  /// Where its file is.
  public var folder: URL
  /// Of texts where a user's language is missing.
  public var language = "en"
  public var targets: [ProjectTarget] = []
  public var packages: [RemotePackage] = []
  /// Headers of Objective-C, by whatever target: a bridging header makes them known to Swift.
  public var headers: [URL] = []

  public init(name: String, folder: URL) {
    self.name = name
    self.folder = folder
  }

  /// Takes in a target. Of two with one module, as for iOS and for macOS, the first counts: the other cannot be built
  /// beside it.
  mutating func add(_ target: ProjectTarget) {
    if !targets.contains(where: { $0.module == target.module }) { targets.append(target) }
  }

  mutating func add(_ others: [RemotePackage]) {
    for package in others where !packages.contains(where: { $0.identity == package.identity }) {
      packages.append(package)
    }
  }

  /// A path as reports have it: from the project's folder, where it is in there.
  func shortPath(_ path: String) -> String {
    let root = folder.path + "/"
    return path.hasPrefix(root) ? String(path.dropFirst(root.count)) : path
  }

  /// Takes in another project of one workspace.
  mutating func add(_ other: Project) {
    for target in other.targets { add(target) }
    add(other.packages)
    headers += other.headers
  }
}

/// A target with its files.
public struct ProjectTarget {
  public enum Kind: Sendable {
    /// Tests that need no application on a screen.
    case tests
    /// Tests that drive an application on a screen.
    case interfaceTests
    /// What the compiler asks to expand macros: it runs where the compiler does, so it is taken as it is.
    case macro
    /// Everything that is built for others to use or to run.
    case product
  }

  public var name: String
  public var module: String
  public var kind: Kind
  /// Whether it is part of the port only where another target uses it.
  public var isOfAnotherPackage = false
  /// Where it is, of a package's target.
  public var folder: URL?
  public var sources: [URL] = []
  /// Sources of other languages.
  public var foreignSources: [URL] = []
  public var models: [URL] = []
  public var resources: [URL] = []
  /// Names of targets that are built before it.
  public var dependencies: [String] = []
  /// Products of packages that it links.
  public var products: [ProductUse] = []
  /// Conditions of compilation of its debug build.
  public var conditions: [String] = []
  /// `SWIFT_VERSION`: 5 where nothing is said.
  public var swiftVersion = 5.0
  /// What else decides what its sources mean.
  public var language = LanguageSettings()

  public init(name: String, module: String, kind: Kind) {
    self.name = name
    self.module = module
    self.kind = kind
  }

  /// Paths of the files that were added.
  private var added: Set<String> = []

  /// Puts a file where its kind belongs, once: a project may name what lies in a folder of the target too.
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

/// A product of a package, which may be a local one that is read as part of the project.
public struct ProductUse: Hashable, Sendable {
  public var product: String
  public var package: String?
}

/// A package that is fetched.
public struct RemotePackage: Sendable {
  public var url: String
  /// As a manifest writes it: `from: "1.2.0"`.
  public var requirement: String

  /// What packages are told apart by: the last part of the address.
  public var identity: String {
    var name = url.split(separator: "/").last.map(String.init) ?? url
    if name.hasSuffix(".git") { name.removeLast(4) }
    return name.lowercased()
  }
}

extension String {
  /// As a module's name: what is no letter or digit is an underscore.
  var asModuleName: String {
    var name = String(map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" })
    if name.first?.isNumber == true { name = "_" + name.dropFirst() }
    return name
  }
}
