/// Unique names: a repeated name gets a number, `ZTITLE`, `ZTITLE1`, `ZTITLE2`.
package struct NumberedNames {
  private var taken: Set<String> = []

  package init() {}

  package func contains(_ name: String) -> Bool { taken.contains(name) }

  package mutating func take(_ base: String) -> String {
    var name = base
    var suffix = 0
    while !taken.insert(name).inserted {
      suffix += 1
      name = base + String(suffix)
    }
    return name
  }
}
