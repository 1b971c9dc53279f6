#if Web
  import Hummingbird

  /// Sends the messages of windows to their pages over one connection, as server-sent events from a
  /// given number on. A connection carries one window, or all windows of a browser, which has only
  /// six connections per server.
  ///
  /// | event | id | data | meaning |
  /// |---|---|---|---|
  /// | (none) | number, or TOKEN.number on a shared connection | operations | a message |
  /// | replaced | | token | another page or connection shows the window now |
  /// | gone | | token | the window does not exist, or no longer |
  /// | beat | | 1 | none: shows that the connection is alive |
  ///
  /// Messages are read from the windows' logs at the pace of the connection: a slow page costs no
  /// memory. If a log no longer contains the next message, the page gets the whole state instead.
  struct MessageStream: Sendable {
    struct Window: Sendable {
      let token: String
      /// Nil for a window that does not exist.
      let session: WindowSession?
      let after: Int
    }

    /// The interval of beats. A page gives up a connection that is silent for more than two
    /// intervals.
    static let beat = Duration.seconds(5)

    let windows: [Window]
    let isShared: Bool

    private struct Carried {
      let session: WindowSession
      let number: Int
      var last: Int
    }

    func run(_ writer: inout any ResponseBodyWriter) async throws {
      let line = StreamLine()
      var carried: [String: Carried] = [:]
      for window in windows {
        guard let session = window.session else { continue }
        let number = await session.startStream(on: line)
        carried[window.token] = Carried(session: session, number: number, last: window.after)
      }
      let started = carried
      do {
        try await carry(&carried, on: line, to: &writer)
      } catch {
        for one in started.values { await one.session.streamEnded(one.number) }
        throw error
      }
      for one in started.values { await one.session.streamEnded(one.number) }
    }

    private func carry(
      _ carried: inout [String: Carried], on line: StreamLine,
      to writer: inout any ResponseBodyWriter
    ) async throws {
      // Beats bypass the main queue: the connection is alive while the queue is busy.
      let beats = Task {
        while true {
          try await Task.sleep(for: Self.beat)
          line.beat()
        }
      }
      defer { beats.cancel() }
      let gone = windows.filter { $0.session == nil }.map { Self.event("gone", data: $0.token) }
      try await writer.write(ByteBuffer(string: "retry: 1000\n\n" + gone.joined()))
      for await _ in line.wakes {
        let news = line.take()
        var text = ""
        for token in news.woken { text += await messages(of: token, &carried) }
        for token in news.ended { text += await farewell(to: token, &carried) }
        try await writer.write(
          ByteBuffer(string: text.isEmpty ? Self.event("beat", data: "1") : text))
        if carried.isEmpty { return }
      }
    }

    private func messages(of token: String, _ carried: inout [String: Carried]) async -> String {
      guard let one = carried[token] else { return "" }
      let messages = await next(of: one)
      carried[token]?.last = messages.last?.sequence ?? one.last
      let prefix = isShared ? "\(token)." : ""
      return messages.map { "id: \(prefix)\($0.sequence)\ndata: \($0.text)\n\n" }.joined()
    }

    /// The next messages. Only a page that has missed messages waits for the main queue.
    private func next(of one: Carried) async -> [MessageLog.Message] {
      if let messages = one.session.log.messages(after: one.last) { return Array(messages) }
      return [await one.session.synchronization()]
    }

    private func farewell(to token: String, _ carried: inout [String: Carried]) async -> String {
      guard let one = carried.removeValue(forKey: token) else { return "" }
      return await one.session.stream == one.number ? "" : Self.event("replaced", data: token)
    }

    private static func event(_ name: String, data: String) -> String {
      "event: \(name)\ndata: \(data)\n\n"
    }
  }
#endif
