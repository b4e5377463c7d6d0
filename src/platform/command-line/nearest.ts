/** The known word that was perhaps meant; null where none is near. */
export function nearest(word: string, known: readonly string[]): string | null {
  const most = Math.max(1, Math.floor(word.length / 3))
  const near = known
    .map((each) => ({ each, distance: each.startsWith(word) && word.length > 2 ? 1 : distance(word, each) }))
    .filter((candidate) => candidate.distance <= most)
    .sort((a, b) => a.distance - b.distance)
  return near[0]?.each ?? null
}

/** How many letters have to be put in, left out or replaced. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [i, letter] of Array.from(a).entries()) {
    const next = [i + 1]
    for (const [j, other] of Array.from(b).entries())
      next.push(Math.min(row[j]! + (letter === other ? 0 : 1), row[j + 1]! + 1, next[j]! + 1))
    row = next
  }
  return row[b.length]!
}
