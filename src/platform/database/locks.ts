/** Numbers of the service's advisory locks, in one place so that no two uses share a number. */
export const lockFor = {
  migrations: 7_305_001,
  partitions: 7_305_002,
  firstStart: 7_305_003,
  analytics: 7_305_004,
  secrets: 7_305_005,
  /** Taken with a second number, the hash of the locked key. */
  imports: 7_305_010,
  /** Taken with a second number, the hash of the locked key. */
  quotas: 7_305_011,
} as const
