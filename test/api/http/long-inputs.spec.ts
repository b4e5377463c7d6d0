/** Long inputs do not block the process. */
import type { FastifyRequest } from 'fastify'

import { parsePathSlug, parseShortLinkSlug } from '../../../src/links/import/parsing/values.js'
import { CreateLink } from '../../../src/links/link.dto.js'
import { parseStrictJson } from '../../../src/platform/http/input/strict-json.js'
import { validateFields } from '../../../src/platform/http/input/input.pipe.js'
import { acceptedEncoding } from '../../../src/platform/http/served-file.js'
import { withoutGettingStuck } from '../../support/stuck.js'

const long = 2_000_000

it('parses a long Accept-Encoding', () => {
  const headers = { 'accept-encoding': `a${' '.repeat(long)}b, gzip` }
  expect(withoutGettingStuck(() => acceptedEncoding({ headers } as unknown as FastifyRequest))).toBe('gzip')
})

it('parses a slug of many slashes', () => {
  const slug = `a${'/'.repeat(long)}a`
  expect(withoutGettingStuck(() => parsePathSlug(`//${slug}/`)) === slug).toBe(true)
  expect(withoutGettingStuck(() => parseShortLinkSlug(`https://sho.rt/${slug}`)) === slug).toBe(true)
})

it('parses a body of many spaces', () => {
  const body = Buffer.from(`{"a":[1],"x"${' '.repeat(10 * long)}:1}`)
  expect(withoutGettingStuck(() => parseStrictJson(body))).toEqual({ a: [1], x: 1 })
})

it('rejects a body of many unknown fields', () => {
  const fields = Object.fromEntries(Array.from({ length: 199_000 }, (_, i) => [`field ${i}`, 1]))
  const { errors } = withoutGettingStuck(() => validateFields(CreateLink, fields))
  expect(errors).toHaveLength(20)
  expect(errors.map(({ code }) => code)).toEqual(Array.from({ length: 20 }, () => 'unknown_field'))
})
