extension String {
  var escapedForAddress: String {
    let isPlain = utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
    if isPlain { return self }
    return addingPercentEncoding(withAllowedCharacters: .urlHostPlain) ?? ""
  }
}

extension CharacterSet {
  static let urlHostPlain = CharacterSet(
    charactersIn: "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_")
}
