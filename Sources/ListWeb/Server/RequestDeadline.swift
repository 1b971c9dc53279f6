#if Web
  import HTTPTypes
  import NIOCore
  import NIOHTTPTypes

  /// Bounds how long a request may take to arrive, however slowly its bytes drip, and how many
  /// connections there are at once.
  ///
  ///     connected ─┐            ┌─ deadline ─┐
  ///                ├─→ waiting for all of a request ─→ answering (without limit) ─→ waiting …
  ///
  /// Who is late is answered 408, who is one too many 503; both are closed then.
  ///
  /// Belongs to its connection's event loop.
  final class RequestDeadline: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// Who is refused gets so long to say what for.
    private static let refusalTime = TimeAmount.seconds(1)

    private let timeout: TimeAmount
    private let connections: ConnectionCount
    private var excess = ConnectionCount.Excess.none
    private var deadline: Scheduled<Void>?
    /// A head has arrived, but not the end.
    private var isReading = false
    private var unanswered = 0
    private var isClosing = false

    init(timeout: TimeAmount, connections: ConnectionCount) {
      self.timeout = timeout
      self.connections = connections
    }

    func handlerAdded(context: ChannelHandlerContext) {
      excess = connections.enter()
      if context.channel.isActive { begin(context) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
      deadline?.cancel()
      connections.leave()
    }

    func channelActive(context: ChannelHandlerContext) {
      begin(context)
      context.fireChannelActive()
    }

    private func begin(_ context: ChannelHandlerContext) {
      // So many that there would soon be no way to refuse: not even an answer is left.
      if excess == .great { return context.close(promise: nil) }
      wait(context)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
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

    func write(
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

    // MARK: The deadline

    /// From the first moment on: later parts of the same request do not move it.
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
