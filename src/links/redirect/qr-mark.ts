/** The parameter that a link's picture leads to: it says where a visit came from, and is nobody else's. */
const mark = /(?:^|&)qr=1(?=&|#|$)/
const everyMark = /(^|&)qr=1(?=&|#|$)/g

export function hasQrMark(query: string): boolean {
  return query.includes('qr=1') && mark.test(query)
}

export function withoutQrMark(query: string): string {
  if (!hasQrMark(query)) return query
  const rest = query.replace(everyMark, '')
  return rest.startsWith('&') ? rest.slice(1) : rest
}
