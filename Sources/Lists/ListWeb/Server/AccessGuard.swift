#if Web
  import HTTPTypes
  import Hummingbird

  /// Checks who opens a window. Requests for an existing window need nothing else than its token,
  /// which is as secret as the key.
  ///
  /// | header | means |
  /// |---|---|
  /// | `Authorization: Key KEY` | the key of the printed address, which opens a session |
  /// | `Authorization: Session TOKEN` | a session, whose day begins anew |
  ///
  /// Neither is a cookie: browsers send cookies to every server of a machine, whatever its port.
  struct AccessGuard: Sendable {
    /// The key; nil gives access to everyone who can reach the port.
    let key: AccessKey?
    let sessions: AccessSessions

    init(key: AccessKey?) {
      self.key = key
      sessions = AccessSessions(file: key?.sessionsFile)
    }

    enum Answer: Equatable {
      /// Allowed; with the session that the key has opened.
      case allowed(session: String?)
      /// The key or the session is another's, or its time is over.
      case refused
    }

    /// Whether everybody is let in.
    var isOpen: Bool { key == nil }

    func check(_ request: Request) -> Answer {
      guard let key else { return .allowed(session: nil) }
      let words = (request.headers[.authorization] ?? "").split(separator: " ")
      guard words.count == 2 else { return .refused }
      switch words[0] {
      case "Key" where key.opens(with: String(words[1])):
        return .allowed(session: sessions.open())
      case "Session" where sessions.use(String(words[1])): return .allowed(session: nil)
      default: return .refused
      }
    }
  }
#endif
