import Foundation

/// A target of an Xcode project.
struct XcodeTarget {
  private let target: XcodeObjects.Object
  private let objects: XcodeObjects
  private let files: XcodeFiles
  private let settings: [String: Any]

  init(_ target: XcodeObjects.Object, objects: XcodeObjects, files: XcodeFiles) {
    self.target = target
    self.objects = objects
    self.files = files
    // The target's settings override the project's.
    settings = Self.settings(objects.root, objects: objects)
      .merging(Self.settings(target, objects: objects)) { $1 }
  }

  /// Build settings of the configuration "Debug", in which tests run, or else of the first.
  private static func settings(
    _ owner: XcodeObjects.Object, objects: XcodeObjects
  ) -> [String: Any] {
    guard let list = objects[owner["buildConfigurationList"]] else { return [:] }
    let all = objects.list(list, key: "buildConfigurations")
    let chosen = all.first { $0["name"] == "Debug" } ?? all.first
    return chosen?.dictionary("buildSettings") ?? [:]
  }

  func read() -> ProjectTarget {
    let name = target["name"] ?? target["productName"] ?? target.identifier
    var result = ProjectTarget(name: name, module: module(name), kind: kind)
    for phase in objects.list(target, key: "buildPhases")
    where ["PBXSourcesBuildPhase", "PBXResourcesBuildPhase"].contains(phase.isa) {
      for file in objects.list(phase, key: "files") {
        guard let reference = objects[file["fileRef"]] else { continue }
        for file in files.files(reference) { result.add(file) }
      }
    }
    for file in synchronizedFiles { result.add(file) }
    result.dependencies = objects.list(target, key: "dependencies").compactMap {
      objects[$0["target"]]?["name"] ?? $0["name"]
    }
    result.products = objects.list(target, key: "packageProductDependencies").compactMap {
      product in
      guard let name = product["productName"] else { return nil }
      let url = objects[product["package"]]?["repositoryURL"]
      return ProductUse(
        product: name, package: url.map { RemotePackage(url: $0, requirement: "").identity })
    }
    result.conditions = words("SWIFT_ACTIVE_COMPILATION_CONDITIONS")
      .filter { !$0.contains("$") && $0 != "DEBUG" }
    if let version = words("SWIFT_VERSION").first.flatMap({ Double($0) }) {
      result.swiftVersion = version
    }
    result.language = language
    result.bundleIdentifier = bundleIdentifier(name)
    return result
  }

  private var language: LanguageSettings {
    let isOn = { (key: String) in words(key).first == "YES" }
    var language = LanguageSettings()
    language.isOfMainActor = words("SWIFT_DEFAULT_ACTOR_ISOLATION").first == "MainActor"
    if isOn("SWIFT_APPROACHABLE_CONCURRENCY") {
      LanguageSettings.approachableConcurrency.forEach { language.enable($0) }
    }
    for key in settings.keys.sorted() where isOn(key) {
      let prefix = "SWIFT_UPCOMING_FEATURE_"
      guard key.hasPrefix(prefix) else { continue }
      language.enable(LanguageSettings.feature(ofXcode: String(key.dropFirst(prefix.count))))
    }
    return language
  }

  private var kind: ProjectTarget.Kind {
    switch target["productType"] {
    case "com.apple.product-type.bundle.unit-test": .tests
    case "com.apple.product-type.bundle.ui-testing": .interfaceTests
    default: .product
    }
  }

  private func module(_ name: String) -> String {
    for key in ["PRODUCT_MODULE_NAME", "PRODUCT_NAME"] {
      guard let value = words(key, whole: true).first, !value.isEmpty else { continue }
      let resolved = withNames(value, name: name)
      if !resolved.contains("$") { return resolved.asModuleName }
    }
    return name.asModuleName
  }

  private func withNames(_ text: String, name: String) -> String {
    text.replacingOccurrences(
      of: #"\$[({](TARGET_NAME|PRODUCT_NAME)(:\w+)?[)}]"#, with: name, options: .regularExpression)
  }

  /// The identifier of the target's bundle; settings that a file of settings has become nothing.
  private func bundleIdentifier(_ name: String) -> String? {
    guard let text = words("PRODUCT_BUNDLE_IDENTIFIER", whole: true).first, !text.isEmpty else {
      return nil
    }
    let others = /\$[({](\w+)(?::\w+)?[)}]/
    let value = withNames(text, name: name).replacing(others) { match in
      words(String(match.1), whole: true).first.map { withNames($0, name: name) } ?? ""
    }
    return value.contains("$") ? nil : value
  }

  private func words(_ key: String, whole: Bool = false) -> [String] {
    if let list = settings[key] as? [String] { return list }
    guard let text = settings[key] as? String else { return [] }
    return whole ? [text] : text.split(separator: " ").map(String.init)
  }

  // MARK: - Synchronized folders, whose files are members of the target

  private var synchronizedFiles: [URL] {
    let own = Set(target.list("fileSystemSynchronizedGroups"))
    return objects.all("PBXFileSystemSynchronizedRootGroup").flatMap { group -> [URL] in
      guard let folder = files.place(group) else { return [] }
      let exceptions = objects.list(group, key: "exceptions")
        .filter { $0["target"] == target.identifier }.flatMap { $0.list("membershipExceptions") }
      let named = exceptions.map { folder.appendingPathComponent($0).standardizedFileURL }
      // Exceptions are excluded files for the group's own targets, and included files for others.
      guard own.contains(group.identifier) else {
        return named.flatMap {
          $0.isFolder && $0.pathExtension.isEmpty ? FolderFiles.all(in: $0) : [$0]
        }
      }
      let outside = Set(named.map(\.path))
      return FolderFiles.all(in: folder).filter { file in
        !outside.contains(file.path) && !outside.contains { file.path.hasPrefix($0 + "/") }
      }
    }
  }
}
