/// The result codes of Apple's C libraries.
public typealias OSStatus = Int32
