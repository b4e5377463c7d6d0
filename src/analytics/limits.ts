/**
 * Clicks that the roller takes in one transaction; a transaction of the ingester is never taken apart. The row of a link's
 * day is written once for all of them, so more cost less; but the feeds wait while they are written.
 */
export const clicksPerStep = 20_000
/** A workspace is rolled up when so many clicks wait, for whoever asks has to read them one by one: 20 ms of work. */
export const rollAtClicks = 15_000
/** Or when it was not for so long. */
export const rollEveryMs = 120_000
/**
 * The processors that are idle beside the one that the roller keeps busy, below which visitors or calls would feel it. Not
 * a share: on two processors the roller alone takes half of the machine, and on eight hardly any of it.
 */
export const idleEnough = 0.5
/** How often the roller looks. */
export const lookEveryMs = 10_000
/** One run ends after this; the next one goes on. */
export const runMayTakeMs = 60_000
/** So long a run that takes everything goes on where too little is idle, for a machine may always be full. */
export const runMayDisturbMs = 5_000
/** Links whose month is put together in one transaction. */
export const linksPerMonthStep = 500
/** A month is put together so long after its end: most late clicks have arrived by then. */
export const monthRestsMs = 2 * 86_400_000
/** A day gets its running sum so long after its end: a click that comes later changes all sums of its month behind it. */
export const sumRestsMs = 86_400_000
/** Days that get their sums in one transaction. */
export const sumsPerStep = 10
/** Days before the newest click for which counted visitors are remembered; earlier days are counted anew. */
export const visitorDaysKept = 2

/** Points of one series. */
export const mostBuckets = 2_000
/** Rows of one answer. */
export const mostRows = 1_000
export const defaultRows = 100
/** Values of all filters of one call. */
export const mostFilterValues = 100
/** Links whose own breakdowns are read for one answer; more are looked for among those of the workspace. */
export const mostSubjects = 20
/** Clicks that one call may read one by one: about half a second. */
export const mostClicksRead = 500_000
