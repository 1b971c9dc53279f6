import CoreData
import ListApplication

extension Goods: MergedObject {
  /// Adds both changes of the number: two processes may count at the same time.
  package static func settle(_ meetings: [Meeting]) -> [String] {
    for meeting in meetings {
      guard let goods = meeting.conflict.sourceObject as? Goods,
        let mine = meeting.own["number"] as? Int32,
        let former = meeting.conflict.objectSnapshot?["number"] as? Int32,
        let stored = meeting.conflict.storedSnapshot["number"] as? Int32
      else { continue }
      goods.number = Int32(clamping: Int64(stored) + Int64(mine) - Int64(former))
    }
    return []
  }
}
