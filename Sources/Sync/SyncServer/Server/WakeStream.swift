#if Web
  import Hummingbird

  /// Tells one client of the heads of its zones, as server-sent events: first all of them, then
  /// those that have moved. A comment shows that the connection is alive.
  struct WakeStream: Sendable {
    let zones: Set<String>
    /// The text of the key that asked for it.
    let key: String
    let board: WakeBoard

    /// Below the minute after which proxies give a silent connection up.
    static let beat = Duration.seconds(25)

    func run(_ writer: inout any ResponseBodyWriter) async throws {
      let (number, wakes) = board.listen(to: zones, by: key)
      defer { board.stopListening(number) }
      let beats = Task {
        while true {
          try await Task.sleep(for: Self.beat)
          board.beat(number)
        }
      }
      defer { beats.cancel() }
      var told: [String: Int64] = [:]
      try await tell(&told, to: &writer)
      for await _ in wakes { try await tell(&told, to: &writer) }
    }

    private func tell(
      _ told: inout [String: Int64], to writer: inout any ResponseBodyWriter
    ) async throws {
      let heads = board.heads(of: zones)
      let news = heads.filter { told[$0.key] != $0.value }.sorted { $0.key < $1.key }
      told = heads
      let text = news.map { "data: \($0.value) \($0.key)\n\n" }.joined()
      try await writer.write(ByteBuffer(string: text.isEmpty ? ":\n" : text))
    }
  }
#endif
