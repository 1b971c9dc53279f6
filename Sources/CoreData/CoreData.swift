// One import gives a client what Apple's framework gives: Foundation, and beside it what Foundation
// lacks on this platform.
@_exported import Foundation
@_exported import KeyValueCoding
@_exported import ListSnapshots
@_exported import Predicates
@_exported import Undo

/// Beside Foundation's class of the same name, which cannot be made or subclassed, a mention inside this
/// module means ours.
public typealias NSExpression = Predicates.NSExpression
