/// The names of all classes below `NSManagedObject` that a port has: of its models and its sources.
struct ManagedClasses {
  private(set) var names: Set<String>

  init(_ judgements: [Judgement]) {
    names = Set(judgements.flatMap(\.target.models).flatMap { ModelClasses($0).names })
    let classes = judgements.flatMap(\.compiled).flatMap(\.declarations).filter(\.isClass)
    var count = -1
    while count != names.count {
      count = names.count
      for declaration in classes {
        guard let name = declaration.name, let superclass = declaration.inherited.first,
          superclass == "NSManagedObject" || names.contains(superclass)
        else { continue }
        names.insert(name)
      }
    }
    names.remove("NSManagedObject")
  }
}
