/** The links of a benchmark and the order of requests, the same in every run. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
export const linkCount = 10_000

/** A seeded random generator, so that every round requests the same slugs. */
function seeded(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

export function links() {
  const random = seeded(1)
  return Array.from({ length: linkCount }, (_, i) => ({
    slug: Array.from({ length: 7 }, () => alphabet[Math.floor(random() * alphabet.length)]).join(''),
    url: `https://www.example.com/articles/${i}/a-title-as-long-as-titles-are?utm_source=newsletter&utm_campaign=c${i % 40}`,
  }))
}

/** Returns paths to request: all links equally often, or a few links most often (Zipf, exponent 1). */
export function paths(distribution, count) {
  const random = seeded(2)
  const all = links()
  if (distribution === 'uniform')
    return Array.from({ length: count }, () => `/${all[Math.floor(random() * all.length)].slug}`)
  const sums = []
  let sum = 0
  for (let rank = 1; rank <= all.length; rank++) sums.push((sum += 1 / rank))
  return Array.from({ length: count }, () => {
    const point = random() * sum
    let low = 0
    let high = sums.length - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if (sums[middle] < point) low = middle + 1
      else high = middle
    }
    return `/${all[low].slug}`
  })
}
