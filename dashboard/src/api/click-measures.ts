/** The measures that figures count, with the names of the API. */

/** Human clicks, or all clicks, which include bots. */
export type Measure = 'human' | 'clicks'
export const measureNames = { human: 'Human clicks', clicks: 'All clicks' } as const

export const countBots = ({ clicks, human }: { clicks: number; human: number }): number => clicks - human
