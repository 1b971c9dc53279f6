// `import CoreData` also imports Foundation, as with Apple's framework, and the modules that supply
// what Foundation lacks on this platform.
@_exported import Foundation
@_exported import KeyValueCoding
@_exported import ListSnapshots
@_exported import ModelDocuments
@_exported import NotificationSequences
@_exported import Predicates
@_exported import Undo

// Foundation has classes of these names that can be neither created nor subclassed. Inside this
// module the names mean the classes of the module Predicates.

/// The expression class of the module Predicates, also reachable as `CoreData.NSExpression`.
public typealias NSExpression = Predicates.NSExpression
/// The comparison class of the module Predicates, also reachable as
/// `CoreData.NSComparisonPredicate`.
public typealias NSComparisonPredicate = Predicates.NSComparisonPredicate
