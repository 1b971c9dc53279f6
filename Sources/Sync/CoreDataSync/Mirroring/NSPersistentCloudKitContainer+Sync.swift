import CoreData

extension NSPersistentCloudKitContainerOptions {
  /// Mirrors a store through a sync server, by a ``SyncEngine`` that lives as long as the store's
  /// `NSPersistentCloudKitContainer`.
  ///
  ///     description.cloudKitContainerOptions = NSPersistentCloudKitContainerOptions(
  ///       syncServer: URL(string: "https://sync.example.org")!, zone: "home", key: key)
  ///
  /// - Parameters:
  ///   - server: the address of the server, with the path of a proxy if there is one.
  ///   - zone: the zone of the store's objects.
  ///   - key: the text of the key.
  public convenience init(syncServer server: URL, zone: String, key: String) {
    self.init(
      SyncConfiguration(zone: zone, application: ProcessInfo.processInfo.processName),
      transport: URLSessionSyncTransport(server: server, key: key))
  }

  /// Mirrors a store with all that can be said of its model, over any transport.
  public convenience init(_ configuration: SyncConfiguration, transport: any SyncTransport) {
    self.init(
      containerIdentifier: configuration.zone,
      mirroring: StoreMirroring(configuration, transport: transport))
  }
}

extension NSPersistentCloudKitContainer {
  /// The engines of its mirrored stores, in the order in which these were loaded: for what events
  /// do not tell, such as how much is left to send, and who lost what.
  public final var syncEngines: [SyncEngine] { mirrors.engines }
}
