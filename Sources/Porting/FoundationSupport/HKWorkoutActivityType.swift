// On Apple's systems this is HealthKit's. Models keep its raw value.

/// The kind of a workout.
///
/// Source: developer.apple.com/documentation/healthkit/hkworkoutactivitytype
public enum HKWorkoutActivityType: UInt, Sendable {
  // The cases have Apple's numbers.
  case americanFootball = 1, archery, australianFootball, badminton, baseball, basketball,
    bowling, boxing, climbing, cricket, crossTraining, curling, cycling, dance,
    danceInspiredTraining, elliptical, equestrianSports, fencing, fishing,
    functionalStrengthTraining, golf, gymnastics, handball, hiking, hockey, hunting, lacrosse,
    martialArts, mindAndBody, mixedMetabolicCardioTraining, paddleSports, play,
    preparationAndRecovery, racquetball, rowing, rugby, running, sailing, skatingSports,
    snowSports, soccer, softball, squash, stairClimbing, surfingSports, swimming, tableTennis,
    tennis, trackAndField, traditionalStrengthTraining, volleyball, walking, waterFitness,
    waterPolo, waterSports, wrestling, yoga, barre, coreTraining, crossCountrySkiing,
    downhillSkiing, flexibility, highIntensityIntervalTraining, jumpRope, kickboxing, pilates,
    snowboarding, stairs, stepTraining, wheelchairWalkPace, wheelchairRunPace, taiChi,
    mixedCardio, handCycling, discSports, fitnessGaming, cardioDance, socialDance, pickleball,
    cooldown
  case swimBikeRun = 82, transition, underwaterDiving
  case other = 3000
}
