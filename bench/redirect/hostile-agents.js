/** Different user agents that are slow to parse. */
const longest = 512
const repeated = [
  'a-',
  '1.',
  '(',
  'a/1 ',
  'Mozilla/5.0 (X11; ',
  'Linux; Android 4; ',
  'Googlebo ',
  'Version/4.0 Mobile Safar ',
]

export function withHostileAgents(requests) {
  return requests.map((request, i) => {
    const token = repeated[i % repeated.length]
    const agent = token.repeat(longest).slice(0, longest - 8) + String(i).padStart(8, '0')
    return { ...request, headers: { 'user-agent': agent } }
  })
}
