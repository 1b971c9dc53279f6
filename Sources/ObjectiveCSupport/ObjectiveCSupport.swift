/// What stands in for Objective-C in copies of ported sources: classes and methods that are found by name.
///
/// A copy imports this module, and with it Core Data and Foundation, since on Apple's systems Foundation alone has
/// predicates, undo managers and key-value coding.
@_exported import CoreData
