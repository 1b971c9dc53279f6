#if Web
  import Foundation
  import Synchronization

  /// The connections of a server, and how many there may be: fewer than the process may have files,
  /// since stores need some of them.
  final class ConnectionCount: Sendable {
    enum Excess { case none, little, great }

    private let maximum: Int
    /// So many more are told why they are refused.
    private let refusable: Int
    private let count = Atomic(0)

    init(maximum: Int) {
      self.maximum = maximum
      refusable = max(8, maximum / 16)
    }

    /// As many as the process may have files, which is raised as far as the system lets it, but for
    /// those of stores.
    convenience init() {
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      limit.rlim_cur = min(limit.rlim_max, 1 << 20)
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      let files = Int(limit.rlim_cur)
      self.init(maximum: max(16, files - max(64, files / 8)))
    }

    func enter() -> Excess {
      let others = count.wrappingAdd(1, ordering: .relaxed).oldValue
      if others < maximum { return .none }
      return others < maximum + refusable ? .little : .great
    }

    func leave() { count.wrappingSubtract(1, ordering: .relaxed) }
  }
#endif
