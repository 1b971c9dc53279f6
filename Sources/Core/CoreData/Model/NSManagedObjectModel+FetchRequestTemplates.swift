import Foundation

extension NSManagedObjectModel {
  /// The fetch request templates by name.
  public final var fetchRequestTemplatesByName: [String: NSFetchRequest<NSFetchRequestResult>] {
    storedTemplates
  }

  /// The template with the given name, or nil. Copy it before changing it.
  public final func fetchRequestTemplate(
    forName name: String
  ) -> NSFetchRequest<NSFetchRequestResult>? {
    storedTemplates[name]
  }

  /// Sets a template; nil removes it.
  public final func setFetchRequestTemplate(
    _ fetchRequestTemplate: NSFetchRequest<NSFetchRequestResult>?, forName name: String
  ) {
    checkMutable()
    storedTemplates[name] = fetchRequestTemplate
  }

  /// A copy of a template with the `$variables` of its predicate replaced; nil if there is no such
  /// template.
  public final func fetchRequestFromTemplate(
    withName name: String, substitutionVariables variables: [String: Any]
  ) -> NSFetchRequest<NSFetchRequestResult>? {
    guard let request = storedTemplates[name]?.copiedRequest else { return nil }
    request.predicate = request.predicate?.withSubstitutionVariables(variables)
    return request
  }
}
