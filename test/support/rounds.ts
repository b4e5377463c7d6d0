/** Long measures, of which every run of the tests takes a part; `WHOLE_MEASURE=true npm test` takes all of them. */
const takesAll = process.env['WHOLE_MEASURE'] === 'true'

export const roundsOf = (whole: number, part: number): number => (takesAll ? whole : part)
