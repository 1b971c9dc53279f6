#if Web
  import HTTPTypes
  import NIOCore
  import NIOHTTPTypes

  /// Limits the time in which a request must arrive, regardless of how its bytes trickle in, and
  /// the number of connections.
  ///
  ///     connected ─┐            ┌─ deadline ─┐
  ///                ├─→ waiting for all of a request ─→ answering (without limit) ─→ waiting …
  ///
  /// A request that is late is answered with 408, one on a connection beyond the limit with 503;
  /// then the connection is closed.
  ///
  /// Confined to its connection's event loop.
  package final class RequestDeadline: ChannelDuplexHandler, RemovableChannelHandler {
    package typealias InboundIn = HTTPRequestPart
    package typealias InboundOut = HTTPRequestPart
    package typealias OutboundIn = HTTPResponsePart
    package typealias OutboundOut = HTTPResponsePart

    /// The time in which a refused connection must send its request, to which the refusal is the
    /// answer.
    private static let refusalTime = TimeAmount.seconds(1)

    private let timeout: TimeAmount
    private let connections: ConnectionCount
    private var excess = ConnectionCount.Excess.none
    private var deadline: Scheduled<Void>?
    /// Whether the head of a request has arrived, but not its end.
    private var isReading = false
    private var unanswered = 0
    private var isClosing = false

    package init(timeout: TimeAmount, connections: ConnectionCount) {
      self.timeout = timeout
      self.connections = connections
    }

    package func handlerAdded(context: ChannelHandlerContext) {
      excess = connections.enter()
      // Fails on a connection that is closed already.
      try? AbsoluteTarget.watch(context)
      if context.channel.isActive { begin(context) }
    }

    package func handlerRemoved(context: ChannelHandlerContext) {
      deadline?.cancel()
      connections.leave()
    }

    package func channelActive(context: ChannelHandlerContext) {
      begin(context)
      context.fireChannelActive()
    }

    private func begin(_ context: ChannelHandlerContext) {
      // Far beyond the limit: closed without an answer.
      if excess == .great { return context.close(promise: nil) }
      wait(context)
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      if isClosing { return }
      switch unwrapInboundIn(data) {
      case .head:
        if excess != .none {
          return refuse(
            context, .serviceUnavailable, "Too many connections are open. Try again in a moment.")
        }
        isReading = true
        unanswered += 1
        wait(context)
      case .body: break
      case .end:
        isReading = false
        stopWaiting()
      }
      context.fireChannelRead(data)
    }

    package func write(
      context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?
    ) {
      if isClosing {
        promise?.fail(ChannelError.ioOnClosedChannel)
        return
      }
      let isEnd = if case .end = unwrapOutboundIn(data) { true } else { false }
      context.write(data, promise: promise)
      guard isEnd else { return }
      unanswered -= 1
      if unanswered == 0 { wait(context) }
    }

    // MARK: Deadline

    /// Starts the deadline, unless it is running: later parts of a request do not move it.
    private func wait(_ context: ChannelHandlerContext) {
      guard deadline == nil, context.channel.isActive else { return }
      let time = excess == .none ? timeout : Self.refusalTime
      deadline = context.eventLoop.assumeIsolated().scheduleTask(in: time) {
        self.deadline = nil
        self.expire(context)
      }
    }

    private func stopWaiting() {
      deadline?.cancel()
      deadline = nil
    }

    private func expire(_ context: ChannelHandlerContext) {
      guard isReading, unanswered == 1 else { return context.close(promise: nil) }
      refuse(context, .requestTimeout, "The request took too long to arrive. Nothing was changed.")
    }

    private func refuse(
      _ context: ChannelHandlerContext, _ status: HTTPResponse.Status, _ text: String
    ) {
      stopWaiting()
      isClosing = true
      let bytes = ByteBuffer(string: text)
      let head = HTTPResponse(
        status: status,
        headerFields: [
          .contentType: "text/plain; charset=utf-8", .contentLength: "\(bytes.readableBytes)",
          .connection: "close", .retryAfter: "3",
        ])
      context.write(wrapOutboundOut(.head(head)), promise: nil)
      context.write(wrapOutboundOut(.body(bytes)), promise: nil)
      let closed = context.eventLoop.makePromise(of: Void.self)
      closed.futureResult.assumeIsolated().whenComplete { _ in context.close(promise: nil) }
      context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: closed)
    }
  }
#endif
