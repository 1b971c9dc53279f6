extension SyncLimits {
  /// Half of a message that was too large; nil if there is no less.
  ///
  /// A proxy has a limit of its own, of which the server does not know; and a server may have a
  /// smaller one than when the message was made.
  func smaller(than message: PushMessage) -> SyncLimits? {
    let size = message.encodedMessage().count
    guard message.count > 1 || size > Self.leastBytes else { return nil }
    return SyncLimits(
      changesPerPush: max(1, message.count / 2), bytesPerPush: max(Self.leastBytes, size / 2),
      rowsPerPage: rowsPerPage)
  }

  /// Every server takes this.
  private static let leastBytes = 4096
}
