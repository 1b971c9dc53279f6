import Synchronization

/// The schemas of the custom stores that containers have opened. Decoding a snapshot takes the
/// property types from them.
enum KnownSchemas {
  private struct State {
    var byStore: [String: Schema] = [:]
    /// In the order in which containers were opened.
    var all: [Schema] = []
  }

  private static let state = Mutex(State())

  /// Records a schema when a container is about to open a store.
  static func note(_ schema: Schema) {
    state.withLock { state in
      state.all.removeAll { $0 === schema || $0 == schema }
      state.all.append(schema)
    }
  }

  /// Records the schema of an opened store by its identifier.
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
