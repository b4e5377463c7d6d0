/**
 * The roller counts up to this many clicks in one transaction, and more only if one transaction of the ingester has
 * more. A large step updates fewer rows per click, but feeds show no new clicks while it writes: about half a second.
 */
export const clicksPerStep = 8_000
/** A workspace is served when this many clicks wait. Until then each query reads them one by one: 20 ms of work. */
export const rollAtClicks = 15_000
/** A workspace with fewer clicks is served when this much time has passed since the last time. */
export const rollEveryMs = 120_000
/**
 * The roller works while this many processors are idle beside the one that it keeps busy. With fewer, visitors or calls
 * would feel it. This is not a share: on two processors the roller alone takes half of the machine, and on eight hardly
 * any of it.
 */
export const idleEnough = 0.5
/** How often the roller looks for clicks. */
export const lookEveryMs = 10_000
/** A run ends after this time, and the next one continues. */
export const runMayTakeMs = 60_000
/** A run that takes everything works for this long although too little is idle: a machine may always be busy. */
export const runMayDisturbMs = 5_000
/** Visitors are remembered for this many days before the newest click. Earlier days are counted again. */
export const visitorDaysKept = 2

/** At most this many values of a dimension have their own count, per subject and day. Visitors can invent values. */
export const valuesPerDay = 5_000

/** The most points of one series. */
export const mostBuckets = 2_000
/** The most rows of one response. */
export const mostRows = 1_000
export const defaultRows = 100
/** The most values in all filters of one call. */
export const mostFilterValues = 100
/** At most this many links are read from their own counts. More are read from the counts of the workspace by link. */
export const mostSubjects = 20
/** The most clicks that one call may read one by one: about half a second. */
export const mostClicksRead = 500_000
/** Doctor warns when a click has waited this long for the roller. */
export const lagMayBeMs = 15 * 60_000
