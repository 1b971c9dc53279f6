// The result types of a fetch other than objects and IDs.

extension NSDictionary: NSFetchRequestResult {}
extension NSNumber: NSFetchRequestResult {}
