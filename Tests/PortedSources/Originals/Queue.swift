import Foundation

/// Ordered sets as an application makes and changes them.
enum Queue {
  static func made(_ elements: [Any]) -> NSMutableOrderedSet {
    NSMutableOrderedSet(array: elements)
  }

  static func copied(_ elements: [Any]) -> NSMutableOrderedSet {
    NSOrderedSet(array: elements).mutableCopy() as! NSMutableOrderedSet
  }

  static func grown(_ elements: [Any]) -> NSMutableOrderedSet {
    let set = NSMutableOrderedSet()
    for element in elements { set.add(element) }
    return set
  }

  static func copiedAgain(_ elements: [Any]) -> NSMutableOrderedSet {
    made(elements).mutableCopy() as! NSMutableOrderedSet
  }
}
