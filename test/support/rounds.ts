/** Runs only a part of the rounds of long tests. `WHOLE_MEASURE=true npm test` runs all of them. */
const takesAll = process.env['WHOLE_MEASURE'] === 'true'

export const roundsOf = (whole: number, part: number): number => (takesAll ? whole : part)
