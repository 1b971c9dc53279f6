/// Why a test could not go on.
struct ApplicationError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
