/// The points between the saves of an engine, at any of which it may end without harm.
enum EngineStep: Hashable, Sendable {
  case recovered, scanned, frozen, answered, attaching, intended, applied, finished, dropped, idle
}
