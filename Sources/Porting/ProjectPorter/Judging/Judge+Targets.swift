// Which targets of a project are ported.

extension Judge {
  var wanted: Set<String> {
    let products = project.targets.filter {
      $0.kind == .product && !$0.isOfAnotherPackage && usesCoreData($0)
    }
    var wanted = Set(withoutCopies(products).map(\.module))
    var rest = Array(wanted)
    while let module = rest.popLast() {
      for used in importedTargets(module) where wanted.insert(used).inserted { rest.append(used) }
    }
    // Tests of the wanted targets, with the other targets that they import.
    for target in project.targets where target.kind == .tests {
      let used = importedTargets(target.module)
      if used.contains(where: wanted.contains) || usesCoreData(target) {
        wanted.insert(target.module)
        wanted.formUnion(used)
      }
    }
    for module in wanted { wanted.formUnion(macros(of: module)) }
    return wanted.union(macroTests(of: wanted))
  }

  /// The targets without those that nothing imports and whose sources another has, too: an
  /// application often has such a target for each server that it speaks to.
  private func withoutCopies(_ products: [ProjectTarget]) -> [ProjectTarget] {
    let imported = Set(project.targets.flatMap(imports))
    var kept = products.filter { imported.contains($0.module) }
    for target in products where !imported.contains(target.module) {
      let sources = Set(target.sources)
      if sources.isEmpty || !kept.contains(where: { sources.isSubset(of: $0.sources) }) {
        kept.append(target)
      }
    }
    return kept
  }

  private func usesCoreData(_ target: ProjectTarget) -> Bool {
    target.models.contains { $0.pathExtension != "xcmappingmodel" }
      || target.sources.contains { facts[Reading($0, target: target)]?.importsCoreData ?? false }
  }

  private func macros(of module: String) -> [String] {
    let named = Set(targets[module]?.dependencies ?? [])
    return project.targets.filter { $0.kind == .macro && named.contains($0.name) }.map(\.module)
  }

  /// The tests of macros that are built: these import a macro's own module.
  private func macroTests(of wanted: Set<String>) -> [String] {
    project.targets.filter { target in
      target.kind == .tests
        && imports(of: target).contains { wanted.contains($0) && targets[$0]?.kind == .macro }
    }.map(\.module)
  }

  private func imports(of target: ProjectTarget) -> Set<String> {
    Set(
      target.sources.compactMap { facts[Reading($0, target: target)] }.flatMap {
        $0.imports.map(\.module)
      })
  }

  func importedTargets(_ module: String) -> Set<String> {
    guard let target = targets[module] else { return [] }
    return imports(of: target).filter { $0 != module && targets[$0]?.kind == .product }
  }
}
