import FoundationSupport
import Testing

struct AnimationTests {
  private struct Refusal: Error {}

  @Test func theChangeIsMade() throws {
    var steps: [Int] = []
    withAnimation { steps.append(1) }
    withAnimation(.easeInOut(duration: 0.3)) { steps.append(2) }
    withAnimation(.spring(response: 0.3, dampingFraction: 0.7).delay(1)) { steps.append(3) }
    withAnimation(nil) { steps.append(4) }
    #expect(steps == [1, 2, 3, 4])
    withAnimation {
      steps.append(5)
    } completion: {
      steps.append(6)
    }
    #expect(steps.suffix(2) == [5, 6])
    #expect(withAnimation(.snappy) { steps.count } == 6)
    #expect(throws: Refusal.self) { try withAnimation { throw Refusal() } }
  }

  @Test func animationsDiffer() {
    let all: [Animation] = [
      .default, .linear, .linear(duration: 1), .linear.delay(1), .linear.speed(1), .spring,
      .spring(), .spring(response: 0.5), .easeIn, .easeOut, .easeInOut, .smooth, .smooth(),
      .bouncy.repeatForever(), .bouncy.repeatCount(2), .bouncy.repeatCount(2, autoreverses: false),
    ]
    #expect(Set(all).count == all.count)
    #expect(Animation.easeIn(duration: 2) == .easeIn(duration: 2))
  }
}
