import Synchronization

/// The schemas of custom stores that containers have opened: what a snapshot that is decoded takes its types from.
enum KnownSchemas {
  private struct State {
    var byStore: [String: Schema] = [:]
    /// In the order of opening.
    var all: [Schema] = []
  }

  private static let state = Mutex(State())

  /// A container is about to open a store.
  static func note(_ schema: Schema) {
    state.withLock { state in
      state.all.removeAll { $0 === schema || $0 == schema }
      state.all.append(schema)
    }
  }

  /// A container has opened a store.
  static func note(_ schema: Schema, ofStore identifier: String) {
    state.withLock { $0.byStore[identifier] = schema }
  }

  static func modelType(of identifier: PersistentIdentifier) -> ModelType? {
    let name = identifier.entityName
    return state.withLock { state in
      let own = identifier.storeIdentifier.flatMap { state.byStore[$0]?.entitiesByName[name] }
      return own?.modelType
        ?? state.all.reversed().lazy.compactMap { $0.entitiesByName[name]?.modelType }.first
    }
  }
}
