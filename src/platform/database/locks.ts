/** The advisory locks of the service, in one place so that no two uses share a number. */
export const lockFor = {
  migrations: 7_305_001,
  partitions: 7_305_002,
  firstStart: 7_305_003,
  analytics: 7_305_004,
  secrets: 7_305_005,
  /** This lock is taken together with a second number, the hash of what is locked. */
  imports: 7_305_010,
  /** With the hash of what is limited. */
  quotas: 7_305_011,
} as const
