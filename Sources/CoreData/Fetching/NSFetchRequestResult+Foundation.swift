// What a fetch returns beside objects and IDs.

extension NSDictionary: NSFetchRequestResult {}
extension NSNumber: NSFetchRequestResult {}
