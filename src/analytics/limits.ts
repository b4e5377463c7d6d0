/**
 * The roller counts up to this many clicks in one transaction, or one transaction of the ingester if that has more.
 * Large steps update fewer rows per click, but feeds show no new clicks during a step: up to 0.3 s.
 */
export const clicksPerStep = 3_000
/** A workspace is rolled when this many clicks are pending. Queries read pending clicks one by one: up to 20 ms. */
export const rollAtClicks = 15_000
/** Workspaces with fewer pending clicks are rolled at this interval. */
export const rollEveryMs = 120_000
/** The roller runs while this many processors are idle besides its own, so that requests are not slowed down. */
export const minIdleProcessors = 0.5
/** How often the roller checks for pending clicks. */
export const checkEveryMs = 10_000
/** A run ends after this time. The next one continues. */
export const maxRunMs = 60_000
/** A run of all workspaces lasts this long on a busy machine, because the machine may never be idle. */
export const maxBusyRunMs = 5_000
/** If a click has been pending for this long, runs of all workspaces take their full time, so that the lag stays bounded. */
export const maxRollLagMs = 5 * 60_000
/** Visitor hashes are stored for this many days before the newest click. Visitors of earlier days are recounted. */
export const visitorDaysKept = 2
/** Older visitor hashes are deleted in statements of this many rows, which take about 0.1 s. */
export const visitorsPerDelete = 20_000

/** Maximum number of counted values per dimension, subject and day, because visitors can send arbitrary values. */
export const valuesPerDay = 5_000

/** Maximum number of points in a series. */
export const maxBuckets = 2_000
/** Maximum number of rows in a response. */
export const maxRows = 1_000
export const defaultRows = 100
/** Maximum number of values in all filters of a request. */
export const maxFilterValues = 100
/** Up to this many links are read from their own counts. More are read from the workspace's counts by link. */
export const maxLinksReadAlone = 20
/** Maximum number of clicks that a request reads one by one, in about half a second. */
export const maxClicksRead = 500_000
/** Doctor warns if a click has been pending for longer than this. */
export const maxHealthyLagMs = 15 * 60_000
