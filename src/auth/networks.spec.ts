import { createAddressMatcher, findNetworksOutside, normalizeNetwork } from './networks.js'

it.each([
  ['10.1.2.3/8', '10.0.0.0/8'],
  ['203.0.113.7', '203.0.113.7/32'],
  ['0.0.0.0/0', '0.0.0.0/0'],
  ['2001:DB8:0:0::1/32', '2001:db8::/32'],
  ['::1', '::1/128'],
  ['::ffff:10.1.2.3/104', '10.0.0.0/8'],
  ['::ffff:10.1.2.3', '10.1.2.3/32'],
])('normalizes %s to %s', (text, normal) => {
  expect(normalizeNetwork(text)).toBe(normal)
})

it.each([
  '',
  '10.0.0.0/33',
  '::/129',
  '10.0.0',
  '010.0.0.1',
  '0x7f.1',
  '10.0.0.0/',
  '10.0.0.0/8/8',
  'localhost',
  'fe80::1%eth0',
  '*',
])('rejects %j', (text) => {
  expect(normalizeNetwork(text)).toBeNull()
})

it('matches addresses in one of the networks', () => {
  const allows = createAddressMatcher(['10.0.0.0/8', '203.0.113.7/32', '2001:db8::/32', 'fe80::/10'])
  for (const address of ['10.255.0.1', '::ffff:10.0.0.1', '203.0.113.7', '2001:db8:ffff::1', 'fe80::1%eth0'])
    expect({ address, allows: allows(address) }).toEqual({ address, allows: true })
  for (const address of [
    '11.0.0.1',
    '203.0.113.8',
    '2001:db9::1',
    '::ffff:11.0.0.1',
    'unknown',
    '',
    '10.0.0.1:80',
  ])
    expect({ address, allows: allows(address) }).toEqual({ address, allows: false })
})

it('finds networks that no allowed network contains', () => {
  const allowed = ['10.0.0.0/8', '2001:db8::/32']
  expect(
    findNetworksOutside(
      ['10.2.0.0/16', '10.0.0.0/7', '0.0.0.0/0', '2001:db8:1::/48', '::/0', '10.0.0.0/8'],
      allowed,
    ),
  ).toEqual(['10.0.0.0/7', '0.0.0.0/0', '::/0'])
})
