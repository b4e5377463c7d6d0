import { PassThrough } from 'node:stream'

import { GrowingBuffer, readBody } from './read-body.js'

const { jest } = import.meta
const tooLarge = () => new Error('too large')
const read = (limits: { maxBytes?: number; withinMs?: number }) => {
  const stream = new PassThrough()
  return { stream, body: readBody(stream, { maxBytes: 100_000, ...limits }, tooLarge) }
}

it('returns the bytes of all chunks', async () => {
  const { stream, body } = read({})
  for (let i = 0; i < 5_000; i++) stream.write('ab')
  stream.end('c')
  expect((await body).toString()).toBe('ab'.repeat(5_000) + 'c')
})

it('uses at most twice the memory of the body, even for tiny chunks', () => {
  const buffer = new GrowingBuffer()
  for (let i = 0; i < 100_000; i++) buffer.append(Buffer.from('a'))
  const taken = buffer.takeBytes()
  expect(taken.length).toBe(100_000)
  expect(taken.buffer.byteLength).toBeLessThanOrEqual(200_000)
  expect(buffer.length).toBe(0)
})

it('rejects a body with more bytes than the limit', async () => {
  const { stream, body } = read({ maxBytes: 10 })
  stream.end('a'.repeat(11))
  await expect(body).rejects.toThrow('too large')
})

it('rejects with the stream error', async () => {
  const { stream, body } = read({})
  const error = new Error('the client disconnected')
  stream.destroy(error)
  await expect(body).rejects.toBe(error)
})

describe('time limits', () => {
  beforeEach(() => {
    jest.useFakeTimers()
  })
  afterEach(() => {
    jest.useRealTimers()
  })
  const slow = { code: 'request_timeout', status: 408 }

  it('rejects a body after its time limit, even if it arrives quickly', async () => {
    const { stream, body } = read({ withinMs: 10_000 })
    const rejected = expect(body).rejects.toMatchObject(slow)
    stream.write('a'.repeat(90_000))
    await jest.advanceTimersByTimeAsync(10_000)
    await rejected
  })

  it('rejects a body slower than 1 KiB/s, but not in the first 30 s', async () => {
    const { stream, body } = read({})
    const ended = jest.fn()
    const rejected = expect(body.finally(ended)).rejects.toMatchObject(slow)
    stream.write('a'.repeat(32 * 1024))
    await jest.advanceTimersByTimeAsync(31_500)
    expect(ended).not.toHaveBeenCalled()
    await jest.advanceTimersByTimeAsync(2_000)
    await rejected
  })

  it('accepts a body that arrives at 1 KiB/s', async () => {
    const { stream, body } = read({})
    for (let second = 0; second < 60; second++) {
      stream.write('a'.repeat(1_100))
      await jest.advanceTimersByTimeAsync(1_000)
    }
    stream.end()
    expect((await body).length).toBe(66_000)
  })
})
