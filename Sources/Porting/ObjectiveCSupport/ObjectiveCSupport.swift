/// Replacement of Objective-C for ported sources: classes and methods that are found by name.
///
/// Ported sources import this module, which includes Core Data and Foundation: on Apple's systems,
/// Foundation alone has predicates, undo managers and key-value coding.
@_exported import CoreData
