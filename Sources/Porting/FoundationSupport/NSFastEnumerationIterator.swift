import Foundation

/// The iterator of Foundation's sets.
public typealias NSFastEnumerationIterator = NSEnumerator.Iterator
