import { networks } from '../config/rules.js'
import { mayConnect } from './address-rules.js'
import { blocked, open } from '../../../test/support/addresses.js'

describe('an address', () => {
  it.each(blocked)('%s may not be connected to', (address) => {
    expect(mayConnect(address, [])).toBe(false)
  })

  it.each(open)('%s may be connected to', (address) => {
    expect(mayConnect(address, [])).toBe(true)
  })

  it.each([
    '',
    'localhost',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '[::1]',
    '1.1.1.1 ',
    'fe80::1%eth0',
  ])('that is written as %j may not be connected to', (text) => {
    expect(mayConnect(text, [])).toBe(false)
  })
})

describe('the networks that the operator allows', () => {
  it.each([
    ['127.0.0.0/8', '127.9.9.9'],
    ['127.0.0.0/8', '::ffff:127.0.0.1'],
    ['10.1.0.0/16,192.168.7.7/32', '192.168.7.7'],
    ['::1/128', '::1'],
    ['fd00::/8', 'fd12:3456::1'],
    ['64:ff9b::/96', '64:ff9b::a00:1'],
  ])('%s open %s', (allowed, address) => {
    expect(mayConnect(address, networks(allowed))).toBe(true)
  })

  it.each([
    ['127.0.0.0/8', '10.0.0.1'],
    ['127.0.0.0/8', '::1'],
    ['127.0.0.0/8', '::ffff:10.0.0.1'],
    ['127.0.0.0/8', '64:ff9b::7f00:1'],
    ['10.1.0.0/16', '10.2.0.1'],
    ['192.168.7.7/32', '192.168.7.8'],
    ['::1/128', '127.0.0.1'],
  ])('%s do not open %s', (allowed, address) => {
    expect(mayConnect(address, networks(allowed))).toBe(false)
  })
})
