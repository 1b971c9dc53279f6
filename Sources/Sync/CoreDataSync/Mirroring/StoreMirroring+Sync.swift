import CoreData

extension StoreMirroring {
  /// Mirrors stores by engines, one for each.
  package convenience init(_ configuration: SyncConfiguration, transport: any SyncTransport) {
    self.init { store, coordinator, mirrors in
      SyncMirror(
        of: store, coordinator, telling: mirrors, configuration: configuration,
        transport: transport)
    }
  }
}

extension StoreMirrors {
  /// In the order in which the stores were opened.
  package var engines: [SyncEngine] { all.compactMap { ($0 as? SyncMirror)?.engine } }
}
