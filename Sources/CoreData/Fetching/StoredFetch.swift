import Predicates

/// Answers FETCH where a predicate judges objects for a fetch: with what the stores have, whatever changes
/// are pending, like the subquery that it is in SQL.
///
/// Used on one thread, by one fetch or one list.
final class StoredFetch: PredicateFetching {
  private let model: NSManagedObjectModel?
  private let keepsResults: Bool
  private let objects: (FetchPlan) throws -> [AnyObject]
  private var kept: [ObjectIdentifier: [AnyObject]] = [:]

  /// - Parameters:
  ///   - model: where entities are found by name.
  ///   - keepsResults: whether a request is answered once for all objects that are judged.
  ///   - objects: reads what a plan describes.
  init(
    model: NSManagedObjectModel?, keepsResults: Bool = true,
    objects: @escaping (FetchPlan) throws -> [AnyObject]
  ) {
    self.model = model
    self.keepsResults = keepsResults
    self.objects = objects
  }

  func fetch(request: Any?, countOnly: Bool) throws -> Any? {
    guard let request = request as? any AnyFetchRequest, let model else {
      throw SQLGeneration.fetchWithoutRequest
    }
    let found = try kept[ObjectIdentifier(request)] ?? read(request, model)
    return countOnly ? NSNumber(value: found.count) : found as [Any]
  }

  private func read(
    _ request: any AnyFetchRequest, _ model: NSManagedObjectModel
  ) throws -> [AnyObject] {
    let entity = try request.entity(in: model)
    let found = try objects(request.settings.plan(for: entity.layout))
    if keepsResults { kept[ObjectIdentifier(request)] = found }
    return found
  }
}
