// The implementation of the generated functions of fetch request templates.

extension NSManagedObject {
  /// Fetches with a fetch request template of the context's model.
  ///
  /// - Parameters:
  ///   - name: the template's name.
  ///   - variables: a value for each `$variable` of the predicate.
  ///   - isOne: whether at most one result is wanted.
  ///   - context: the context that fetches.
  /// - Throws: the errors of the fetch.
  public static func managedFetch<Result>(
    template name: String, _ variables: [String: Any], isOne: Bool = false,
    in context: NSManagedObjectContext
  ) throws -> [Result] {
    let request = managedRequest(template: name, variables, in: context)
    if isOne { request.fetchLimit = 1 }
    return try context.fetch(request).map { object in
      guard let result = object as? Result else {
        fatalError(
          "The fetch request template “\(name)” found a \(type(of: object)), which is no \(Result.self)"
        )
      }
      return result
    }
  }

  /// Counts the objects that a fetch request template of the context's model finds.
  ///
  /// - Throws: the errors of the fetch.
  public static func managedCount(
    template name: String, _ variables: [String: Any], in context: NSManagedObjectContext
  ) throws -> Int {
    try context.count(for: managedRequest(template: name, variables, in: context))
  }

  private static func managedRequest(
    template name: String, _ variables: [String: Any], in context: NSManagedObjectContext
  ) -> NSFetchRequest<NSFetchRequestResult> {
    guard let model = context.rootCoordinator?.managedObjectModel else {
      fatalError("The context has no coordinator, and so no model with the template “\(name)”")
    }
    let request = model.fetchRequestFromTemplate(
      withName: name, substitutionVariables: variables)
    guard let request else {
      fatalError(
        "The context's model has no fetch request template “\(name)”. It has: "
          + "\(model.fetchRequestTemplatesByName.keys.sorted())")
    }
    return request
  }
}
