import Foundation

/// The text of the package's manifest.
struct Manifest {
  private let porting: Porting
  private let modules: Set<String>

  init(_ porting: Porting) {
    self.porting = porting
    modules = Set(porting.built.map(\.target.module))
  }

  var text: String {
    """
    // swift-tools-version: 6.2
    // \(PackageFiles.mark)
    \(macros.isEmpty ? "" : "import CompilerPluginSupport\n")import PackageDescription

    let package = Package(
      name: \(quoted(porting.project.name)),\(localization)
      dependencies: [
        \(dependencies.joined(separator: ",\n    ")),
      ],
      targets: [
        \((porting.built.map(target) + macros.map(macro)).joined(separator: ",\n    ")),
      ]
    )

    """
  }

  /// The default localization, which SwiftPM requires if resources are localized.
  private var localization: String {
    let files = PackageFiles(porting)
    let paths = porting.built.flatMap { files.resourcePaths($0.target) }
    guard paths.contains(where: { $0.contains(".lproj/") }) else { return "" }
    return "\n  defaultLocalization: \(quoted(porting.project.language)),"
  }

  private func quoted(_ text: String) -> String { "\"\(text)\"" }

  // MARK: - Packages

  private var dependencies: [String] {
    var seen: Set<String> = []
    let packages = (porting.built + macros).flatMap { judgement in
      (porting.products[judgement.target.module] ?? []).map(\.package)
        + standIns(judgement).values.compactMap(\.package)
    }
    .filter { seen.insert($0.identity).inserted }.sorted { $0.identity < $1.identity }
    return [openCoreData]
      + packages.map { ".package(url: \(quoted($0.url)), \($0.requirement))" }
  }

  /// Without the trait PortedSources, packages share the porter of sources: see `SharedPorter`.
  private var traits: String {
    let others = Set(porting.built.flatMap { standIns($0).values.compactMap(\.trait) })
    let all = (["Shims"] + others.sorted()).map(quoted)
    return "traits: [\(all.joined(separator: ", "))]"
  }

  /// Stand-ins for the target's imports, by Apple's module names.
  private func standIns(_ judgement: Judgement) -> [String: KnownModules.StandIn] {
    KnownModules.standIns.filter { judgement.imports.contains($0.key) }
  }

  private var openCoreData: String {
    let place = porting.options.openCoreData
    guard place.contains("://") || place.hasPrefix("git@") else {
      // A relative path suits every machine that has both folders.
      let path = RelativePath.from(porting.output, to: URL(fileURLWithPath: place))
      return ".package(name: \"OpenCoreData\", path: \(quoted(path)), \(traits))"
    }
    return ".package(url: \(quoted(place)), branch: \"main\", \(traits))"
  }

  /// The package name by which products of OpenCoreData are referred to.
  private var openCoreDataName: String {
    let place = porting.options.openCoreData
    guard place.contains("://") || place.hasPrefix("git@") else { return "OpenCoreData" }
    return RemotePackage(url: place, requirement: "").identity == "opencoredata"
      ? "OpenCoreData" : RemotePackage(url: place, requirement: "").identity
  }

  // MARK: - Targets

  private func target(_ judgement: Judgement) -> String {
    let target = judgement.target
    let standIns = standIns(judgement)
    var lines = ["name: \(quoted(target.module))"]
    lines.append(
      "dependencies: [\n        \(uses(judgement, standIns: standIns).joined(separator: ",\n        ")),\n      ]"
    )
    if !PackageFiles(porting).resourcePaths(target).isEmpty {
      lines.append("resources: [.process(\"Resources\")]")
    }
    lines.append("swiftSettings: [\(settings(target, standIns: standIns).joined(separator: ", "))]")
    lines.append(
      "plugins: [.plugin(name: \"PortedSources\", package: \(quoted(openCoreDataName)))]")
    let kind = target.kind == .tests ? ".testTarget" : ".target"
    return "\(kind)(\n      " + lines.joined(separator: ",\n      ") + "\n    )"
  }

  private func uses(
    _ judgement: Judgement, standIns: [String: KnownModules.StandIn]
  ) -> [String] {
    let products = ["CoreData", "FoundationSupport", "ObjectiveCSupport"].map {
      (product: $0, package: openCoreDataName)
    }
    let others = standIns.values.map {
      (product: $0.product, package: $0.package?.identity ?? openCoreDataName)
    }
    var imported = judgement.imports.filter {
      modules.contains($0) && $0 != judgement.target.module
    }
    imported.formUnion(macros.map(\.target.name).filter(judgement.target.dependencies.contains))
    return (products + others.sorted { $0.product < $1.product }).map {
      ".product(name: \(quoted($0.product)), package: \(quoted($0.package)))"
    }
      + imported.sorted().map(quoted)
      + (porting.products[judgement.target.module] ?? []).map { module, package in
        ".product(name: \(quoted(product(of: module))), package: \(quoted(package.identity)))"
      }
  }

  private var macros: [Judgement] { porting.macros }

  /// The macro target, built for the compiler's machine from the original sources through a link.
  private func macro(_ judgement: Judgement) -> String {
    let products = (porting.products[judgement.target.module] ?? []).map { module, package in
      ".product(name: \(quoted(product(of: module))), package: \(quoted(package.identity)))"
    }
    return """
      .macro(
            name: \(quoted(judgement.target.module)),
            dependencies: [
              \(products.joined(separator: ",\n        ")),
            ],
            path: \(quoted(PackageFiles.folder(of: judgement.target))),
            swiftSettings: [.swiftLanguageMode(.\(languageMode(judgement.target)))]
          )
      """
  }

  private func product(of module: String) -> String {
    KnownPackages.productsOfModules[module] ?? module
  }

  /// The newest of the compiler's modes that is not newer than the target's, or else the oldest.
  private func languageMode(_ target: ProjectTarget) -> String {
    switch target.swiftVersion {
    case 6...: "v6"
    case 5...: "v5"
    case 4.2...: "v4_2"
    default: "v4"
    }
  }

  private func settings(
    _ target: ProjectTarget, standIns: [String: KnownModules.StandIn]
  ) -> [String] {
    var language = target.language
    if target.saysIsolation { language.isOfMainActor = false }
    var settings = language.settings(swiftVersion: target.swiftVersion)
    // Conditions with parentheses name platforms; they are resolved in the copies.
    settings += target.conditions.filter { !$0.contains("(") }.map { ".define(\(quoted($0)))" }
    // Stand-ins have their own module names, so that other packages do not mistake them for
    // Apple's.
    let aliases = standIns.sorted { $0.key < $1.key }.filter { $0.key != $0.value.product }
      .flatMap { ["-module-alias", "\($0.key)=\($0.value.product)"] }
    if !aliases.isEmpty {
      settings.append(".unsafeFlags([\(aliases.map(quoted).joined(separator: ", "))])")
    }
    return settings
  }
}
