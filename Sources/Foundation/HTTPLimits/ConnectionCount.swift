#if Web
  import Foundation
  import Synchronization

  /// The number of a server's connections, with a limit below the process's limit of open files:
  /// stores need some of them.
  package final class ConnectionCount: Sendable {
    package enum Excess { case none, little, great }

    private let maximum: Int
    /// The number of connections beyond the limit that get an answer with the reason of the
    /// refusal.
    private let refusable: Int
    private let count = Atomic(0)

    package init(maximum: Int) {
      self.maximum = maximum
      refusable = max(8, maximum / 16)
    }

    /// Raises the process's limit of open files as far as the system allows, and uses all of them
    /// but a reserve for stores (an eighth, at least 64).
    package convenience init() {
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      limit.rlim_cur = min(limit.rlim_max, 1 << 20)
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      let files = Int(limit.rlim_cur)
      self.init(maximum: max(16, files - max(64, files / 8)))
    }

    package func enter() -> Excess {
      let others = count.wrappingAdd(1, ordering: .relaxed).oldValue
      if others < maximum { return .none }
      return others < maximum + refusable ? .little : .great
    }

    package func leave() { count.wrappingSubtract(1, ordering: .relaxed) }
  }
#endif
