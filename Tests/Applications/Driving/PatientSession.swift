import Foundation
import TestSupport

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What clients without a browser ask applications by. It waits for an answer as long as tests wait for anything.
enum PatientSession {
  static let shared: URLSession = {
    let configuration = URLSessionConfiguration.default
    configuration.timeoutIntervalForRequest = 10 * Patience.seconds
    return URLSession(configuration: configuration)
  }()
}
