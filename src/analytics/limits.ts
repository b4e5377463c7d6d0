import { dayMs } from '../platform/util/days.js'

/**
 * The roller takes up to this many clicks in one transaction, and more only if one transaction of the ingester has
 * more. The row of a link's day is written once for all of them, so a click of a large step costs less. But the feeds
 * wait while a step writes.
 */
export const clicksPerStep = 20_000
/** A workspace is rolled up when this many clicks wait. Until then each query reads them one by one: 20 ms of work. */
export const rollAtClicks = 15_000
/** A workspace with fewer clicks is rolled up when this much time has passed since the last time. */
export const rollEveryMs = 120_000
/**
 * The roller works while this many processors are idle beside the one that it keeps busy. With fewer, visitors or calls
 * would feel it. This is not a share: on two processors the roller alone takes half of the machine, and on eight hardly
 * any of it.
 */
export const idleEnough = 0.5
/** How often the roller looks. */
export const lookEveryMs = 10_000
/** A run ends after this time, and the next one continues. */
export const runMayTakeMs = 60_000
/** A run that takes everything works for this long although too little is idle: a machine may always be busy. */
export const runMayDisturbMs = 5_000
/** Links whose month is put together in one transaction. */
export const linksPerMonthStep = 500
/** A month is put together this long after its end, when most late clicks have arrived. */
export const monthRestsMs = 2 * dayMs
/** A day gets its running sum this long after its end. A later click changes all sums of its month from its day on. */
export const sumRestsMs = dayMs
/** Days that get their running sums in one transaction. */
export const sumsPerStep = 10
/** Counted visitors are remembered for this many days before the newest click. Earlier days are counted anew. */
export const visitorDaysKept = 2

/** The most points of one series. */
export const mostBuckets = 2_000
/** The most rows of one answer. */
export const mostRows = 1_000
export const defaultRows = 100
/** The most values in all filters of one call. */
export const mostFilterValues = 100
/** One answer reads the own breakdowns of at most this many links. More are looked for in those of the workspace. */
export const mostSubjects = 20
/** The most clicks that one call may read one by one: about half a second. */
export const mostClicksRead = 500_000
