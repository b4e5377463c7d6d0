/** Says that something is due. A hint and no more: what it misses, the workers find in the database. */
export abstract class LaneWaker {
  abstract wake(webhookIds: readonly string[], isProven?: boolean): void
}
