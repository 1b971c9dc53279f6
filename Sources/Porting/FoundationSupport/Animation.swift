// On Apple's systems these are SwiftUI's. View models use them around a change of state, which is
// made here as well, without anything that moves.

/// The course of a change on screen. Values can be made and passed on; nothing moves here.
///
/// Source: developer.apple.com/documentation/swiftui/animation
public struct Animation: Hashable, Sendable {
  private let name: String
  private let values: [Double]

  private init(_ name: String, _ values: [Double] = []) {
    (self.name, self.values) = (name, values)
  }

  /// The system's animation.
  public static let `default` = Animation("default")
  /// A change of even speed.
  public static let linear = Animation("linear")
  /// A change that begins slowly.
  public static let easeIn = Animation("easeIn")
  /// A change that ends slowly.
  public static let easeOut = Animation("easeOut")
  /// A change that begins and ends slowly.
  public static let easeInOut = Animation("easeInOut")
  /// A change like that of a spring.
  public static let spring = Animation("spring")
  /// A spring without bounce.
  public static let smooth = Animation("smooth")
  /// A spring with little bounce.
  public static let snappy = Animation("snappy")
  /// A spring with much bounce.
  public static let bouncy = Animation("bouncy")
  /// A spring for changes that follow a finger.
  public static let interactiveSpring = Animation("interactiveSpring")

  /// A change of even speed that takes some seconds.
  public static func linear(duration: Double) -> Animation { Animation("linear", [duration]) }
  /// A change of some seconds that begins slowly.
  public static func easeIn(duration: Double) -> Animation { Animation("easeIn", [duration]) }
  /// A change of some seconds that ends slowly.
  public static func easeOut(duration: Double) -> Animation { Animation("easeOut", [duration]) }
  /// A change of some seconds that begins and ends slowly.
  public static func easeInOut(duration: Double) -> Animation {
    Animation("easeInOut", [duration])
  }
  /// A change like that of a spring, by its duration and bounce.
  public static func spring(
    duration: Double = 0.5, bounce: Double = 0, blendDuration: Double = 0
  ) -> Animation {
    Animation("spring", [duration, bounce, blendDuration])
  }
  /// A change like that of a spring, by its stiffness and friction.
  public static func spring(
    response: Double, dampingFraction: Double = 0.825, blendDuration: Double = 0
  ) -> Animation {
    Animation("response", [response, dampingFraction, blendDuration])
  }
  /// A spring without bounce.
  public static func smooth(duration: Double = 0.5, extraBounce: Double = 0) -> Animation {
    Animation("smooth", [duration, extraBounce])
  }
  /// A spring with little bounce.
  public static func snappy(duration: Double = 0.5, extraBounce: Double = 0) -> Animation {
    Animation("snappy", [duration, extraBounce])
  }
  /// A spring with much bounce.
  public static func bouncy(duration: Double = 0.5, extraBounce: Double = 0) -> Animation {
    Animation("bouncy", [duration, extraBounce])
  }

  /// The animation, some seconds later.
  public func delay(_ delay: Double) -> Animation {
    Animation("\(name).delay", values + [delay])
  }
  /// The animation, so many times as fast.
  public func speed(_ speed: Double) -> Animation {
    Animation("\(name).speed", values + [speed])
  }
  /// The animation, so many times.
  public func repeatCount(_ repeatCount: Int, autoreverses: Bool = true) -> Animation {
    Animation("\(name).repeat", values + [Double(repeatCount), autoreverses ? 1 : 0])
  }
  /// The animation, again and again.
  public func repeatForever(autoreverses: Bool = true) -> Animation {
    Animation("\(name).forever", values + [autoreverses ? 1 : 0])
  }
}

/// Makes a change of state.
///
/// Source: developer.apple.com/documentation/swiftui/withanimation(_:_:)
public func withAnimation<Result>(
  _ animation: Animation? = .default, _ body: () throws -> Result
) rethrows -> Result {
  try body()
}

/// Makes a change of state, and calls `completion` after it.
///
/// Source: SwiftUI's `withAnimation(_:completionCriteria:_:completion:)`, in Apple's documentation.
public func withAnimation<Result>(
  _ animation: Animation? = .default, _ body: () throws -> Result,
  completion: @escaping () -> Void
) rethrows -> Result {
  defer { completion() }
  return try body()
}
