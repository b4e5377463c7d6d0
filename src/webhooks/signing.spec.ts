import { createSignatures, getSigningKey, hasReadableKey } from './signing.js'

/** The first vector is the one in the specification of Standard Webhooks. */
const vectors = [
  {
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestamp: 1614265330,
    body: '{"test": 2432232314}',
    signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  },
  {
    secret: 'my-shared-secret',
    id: 'evt_01jd2m5g6cexn8v2k5w1q9r3s7',
    timestamp: 1763690000,
    body: '{"id":"evt_01jd2m5g6cexn8v2k5w1q9r3s7","type":"link.created","data":{}}',
    signature: 'v1,8BZvrqYHJAqtkzbPA8YsawyveHf61PHCxtb0MVbi9Po=',
  },
  {
    secret: 'pässwörd-ключ',
    id: 'evt_01jd2m5g6cexn8v2k5w1q9r3s8',
    timestamp: 1763690001,
    body: '{"type":"click","data":{"title":"日本語 🔗"}}',
    signature: 'v1,rfysYR6Rc0TYMcUsVakQRSjcilodGkz2SUm1Kp+c8rw=',
  },
  {
    secret: 'whsec_not base64!',
    id: 'evt_01jd2m5g6cexn8v2k5w1q9r3s9',
    timestamp: 1763690002,
    body: '{}',
    signature: 'v1,zfUFNWbh0a8Z8tFDEERVqsYG6kHXqvvTAGY98tsDz1o=',
  },
]

it.each([
  'whsec_',
  'whsec_not base64!',
  'whsec_YWJ',
  'whsec_YWJj=',
  'whsec_YWJ=',
  'whsec_-_-_',
  'whsec_YWJj YWJj',
])('finds no readable key in %s', (secret) => {
  expect(hasReadableKey(secret)).toBe(false)
})

it.each(['whsec_YWJj', 'whsec_YWI=', 'YWJ', 'not base64!', 'WHSEC_', 'whsec'])(
  'finds a readable key in %s',
  (secret) => {
    expect(hasReadableKey(secret)).toBe(true)
  },
)

describe('a signature', () => {
  it.each(vectors)('is correct for the secret $secret', ({ secret, id, timestamp, body, signature }) => {
    expect(createSignatures([getSigningKey(secret)], id, timestamp, body)).toBe(signature)
  })

  it('precedes that of an old secret', () => {
    const [{ id, timestamp, body }] = vectors as [(typeof vectors)[0]]
    const [newest, old] = ['new', 'old'].map(getSigningKey) as [Buffer, Buffer]
    expect(createSignatures([newest, old], id, timestamp, body)).toBe(
      [newest, old].map((key) => createSignatures([key], id, timestamp, body)).join(' '),
    )
  })
})
