/// The next page of many, which the server makes while the one before is applied.
struct PageAhead {
  private let request: PullRequest
  private let pull: Task<Pulled, any Error>

  init(after page: Page, epoch: RecordID, of request: PullRequest, transport: any SyncTransport) {
    let following = request.following(page, epoch: epoch)
    self.request = following
    pull = Task { try await transport.pull(following) }
  }

  /// The answer, if this is what is asked for; its limit may be another.
  func answer(to request: PullRequest) async throws -> Pulled? {
    var asked = request
    asked.limit = self.request.limit
    guard asked == self.request else { return nil }
    return try await withTaskCancellationHandler {
      try await pull.value
    } onCancel: {
      pull.cancel()
    }
  }

  /// Waits until the answer is here, or it is known that none comes.
  func arrive() async { _ = await pull.result }

  func cancel() { pull.cancel() }
}

extension PullRequest {
  /// The request for what comes after a page that is not the last, unless it makes records wanted.
  fileprivate func following(_ page: Page, epoch: RecordID) -> PullRequest {
    var request = self
    request.cursor = page.cursor
    request.epoch = request.epoch ?? epoch
    if cursor == 0 { request.safe = page.head }
    return request
  }
}
