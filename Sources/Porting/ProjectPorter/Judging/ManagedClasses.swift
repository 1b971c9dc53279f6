/// The names of all classes below `NSManagedObject` that a port has: of its models and its sources.
struct ManagedClasses {
  private(set) var names: Set<String>
  /// To-many relationships whose properties are generated.
  let toMany: Set<String>

  init(_ judgements: [Judgement]) {
    let models = judgements.flatMap(\.target.models).map(ModelClasses.init)
    names = Set(models.flatMap(\.names))
    toMany = Set(models.flatMap(\.toMany))
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
