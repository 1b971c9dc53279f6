/// A type whose default value stands for nil in a non-optional property.
protocol EmptyMeansNil {
  init()
}

extension Int: EmptyMeansNil {}
extension Int8: EmptyMeansNil {}
extension Int16: EmptyMeansNil {}
extension Int32: EmptyMeansNil {}
extension Int64: EmptyMeansNil {}
extension UInt: EmptyMeansNil {}
extension UInt8: EmptyMeansNil {}
extension UInt16: EmptyMeansNil {}
extension UInt32: EmptyMeansNil {}
extension UInt64: EmptyMeansNil {}
extension Bool: EmptyMeansNil {}
extension Double: EmptyMeansNil {}
extension Float: EmptyMeansNil {}
extension CGFloat: EmptyMeansNil {}
extension Decimal: EmptyMeansNil {}
extension String: EmptyMeansNil {}
extension Data: EmptyMeansNil {}
extension Array: EmptyMeansNil {}
extension Set: EmptyMeansNil {}
extension Dictionary: EmptyMeansNil {}
