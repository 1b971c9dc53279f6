import SwiftData

import class CoreData.StoreMirroring

extension ModelConfiguration.CloudKitDatabase {
  /// A zone of a sync server: the configuration's store is kept equal to those of other devices, by
  /// an engine that lives as long as the container or one of its contexts.
  ///
  ///     ModelConfiguration(
  ///       cloudKitDatabase: .syncServer(
  ///         URL(string: "https://sync.example.org")!, zone: "home", key: key))
  ///
  /// - Parameters:
  ///   - server: the address of the server, with the path of a proxy if there is one.
  ///   - zone: the zone of the store's models.
  ///   - key: the text of the key.
  public static func syncServer(_ server: URL, zone: String, key: String) -> Self {
    .sync(
      SyncConfiguration(zone: zone, application: ProcessInfo.processInfo.processName),
      transport: URLSessionSyncTransport(server: server, key: key))
  }

  /// A zone, with all that can be said of the models, over any transport. The configuration calls
  /// models and properties by their names.
  public static func sync(_ configuration: SyncConfiguration, transport: any SyncTransport) -> Self
  {
    Self(
      name: configuration.zone, mirroring: StoreMirroring(configuration, transport: transport))
  }
}
