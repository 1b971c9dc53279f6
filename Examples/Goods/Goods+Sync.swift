import CoreData
import CoreDataSync

extension Goods {
  /// Goods that two devices have added under one name are one, and what both have counted adds up:
  /// their number is a counter, which the model's user info says.
  static var sync: SyncConfiguration {
    SyncConfiguration(zone: "", application: "Goods", identify: { ($0 as? Goods)?.name })
  }
}
