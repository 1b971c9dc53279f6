// One import gives a client what Apple's framework gives: Foundation, and beside it what Foundation
// lacks on this platform.
@_exported import Foundation
@_exported import KeyValueCoding
@_exported import ListSnapshots
@_exported import ModelDocuments
@_exported import NotificationSequences
@_exported import Predicates
@_exported import Undo

// Beside Foundation's classes of the same names, which cannot be made or subclassed, a mention inside this
// module means ours.

/// Ours, in this module and as `CoreData.NSExpression`.
public typealias NSExpression = Predicates.NSExpression
/// Ours, in this module and as `CoreData.NSComparisonPredicate`.
public typealias NSComparisonPredicate = Predicates.NSComparisonPredicate
