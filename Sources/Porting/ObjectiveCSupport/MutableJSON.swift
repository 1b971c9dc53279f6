import Foundation

/// Reads JSON into mutable dictionaries and arrays. Replaces `JSONSerialization.jsonObject` with
/// `.mutableContainers` where their classes are asked for: Foundation has only Swift's here.
public func mutableJSONObject(
  with data: Data, options: JSONSerialization.ReadingOptions = []
) throws -> Any {
  mutableObject(try JSONSerialization.jsonObject(with: data, options: options))
}

/// A mutable copy of a dictionary or an array and of those in it; any other value itself.
func mutableObject(_ value: Any) -> Any {
  switch value {
  case let dictionary as [String: Any]:
    let copy = NSMutableDictionary()
    for (key, value) in dictionary {
      copy.setObject(mutableObject(value), forKey: NSString(string: key))
    }
    return copy
  case let array as [Any]: return NSMutableArray(array: array.map(mutableObject))
  default: return value
  }
}
