/** Hints to workers that deliveries may be due. If a hint is lost, workers find the deliveries in the database. */
export abstract class LaneWaker {
  abstract wake(webhookIds: readonly string[], isProven?: boolean): void
}
