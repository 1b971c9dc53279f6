#if Web
  import NIOCore
  import NIOHTTP1
  import NIOHTTPTypesHTTP1

  /// Adds the host of an absolute request target, such as `GET http://host/ HTTP/1.1`, to the
  /// request's `Host` headers: such a request has two of them, and is refused (`RequestGuard`).
  ///
  /// Stands before the codec that makes a path of a target.
  final class AbsoluteTarget: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    /// Adds the handler to a connection.
    static func watch(_ context: ChannelHandlerContext) throws {
      let pipeline = context.pipeline.syncOperations
      let codec = try pipeline.handler(type: HTTP1ToHTTPServerCodec.self)
      try pipeline.addHandler(AbsoluteTarget(), position: .before(codec))
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      guard case .head(var head) = unwrapInboundIn(data), !head.uri.hasPrefix("/") else {
        return context.fireChannelRead(data)
      }
      head.headers.add(name: "Host", value: head.uri)
      context.fireChannelRead(wrapInboundOut(.head(head)))
    }
  }
#endif
