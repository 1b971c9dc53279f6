#if Web
  import Hummingbird

  /// Carries the messages of a window to its page over one connection, from a number on.
  ///
  /// It reads from the window's log at the pace of the connection, so a slow page costs no memory:
  /// when the log no longer has what comes next, the page gets the whole state instead.
  struct MessageStream: Sendable {
    let session: WindowSession
    let after: Int

    func run(_ writer: inout any ResponseBodyWriter) async throws {
      let (number, wakes) = await session.startStream()
      do {
        try await carry(wakes, to: &writer)
      } catch {
        await session.streamEnded(number)
        throw error
      }
      if await session.stream != number {
        try await writer.write(ByteBuffer(string: Self.replaced))
      }
      await session.streamEnded(number)
    }

    private func carry(
      _ wakes: AsyncStream<Void>, to writer: inout any ResponseBodyWriter
    ) async throws {
      var last = after
      try await writer.write(ByteBuffer(string: "retry: 1000\n\n"))
      for await _ in wakes {
        let messages = await next(after: last)
        // A comment says nothing, and shows whether somebody is still listening.
        let text = messages.isEmpty ? ": alive\n\n" : messages.map(Self.event).joined()
        try await writer.write(ByteBuffer(string: text))
        last = messages.last?.sequence ?? last
      }
    }

    /// Only a page that lost the thread waits for the main queue.
    private func next(after last: Int) async -> [MessageLog.Message] {
      if let messages = session.log.messages(after: last) { return Array(messages) }
      return [await session.synchronization()]
    }

    private static func event(_ message: MessageLog.Message) -> String {
      "id: \(message.sequence)\ndata: \(message.text)\n\n"
    }

    /// The same window was opened in another tab, which has it now.
    private static let replaced = "event: replaced\ndata: {}\n\n"
  }
#endif
