import { networks } from '../platform/config/rules.js'
import { blocked, hostsOfThisMachine, open } from '../../test/support/addresses.js'
import { findWebhookUrlFault } from './webhook-url.js'

const strict = { webhookAllowHttp: false, webhookAllowedCidrs: null }
const development = { webhookAllowHttp: true, webhookAllowedCidrs: networks('127.0.0.0/8,::1/128') }

function inUrl(address: string): string {
  return address.includes(':') ? `[${address}]` : address
}

describe('the URL of a webhook', () => {
  it.each([
    'https://example.com',
    'https://example.com/',
    'HTTPS://EXAMPLE.com/hooks?a=b&c=%20d',
    'https://bücher.example/straße',
    'https://example.com:443/',
    'https://example.com:80/',
    'https://example.com:8443/',
    'https://example.com:65535/',
    'https://intranet/',
    'https://example.com/@user',
    'https://localhost.example.com/',
    'https://notlocalhost/',
    'https://127.0.0.1.nip.example/',
    `https://example.com/${'a'.repeat(2048 - 20)}`,
    ...open.map((address) => `https://${inUrl(address)}/`),
  ])('may be %s', (url) => {
    expect(findWebhookUrlFault(url, strict)).toBeNull()
  })

  it.each([
    ['', 'invalid_url'],
    ['example.com', 'invalid_url'],
    ['//example.com', 'invalid_url'],
    ['/hooks', 'invalid_url'],
    ['ftp://example.com', 'invalid_url'],
    ['javascript:alert(1)', 'invalid_url'],
    ['https://', 'invalid_url'],
    ['https:///path', 'invalid_url'],
    ['https:example.com', 'invalid_url'],
    ['https:\\\\example.com', 'invalid_url'],
    ['https://example.com\\@evil.example/', 'invalid_url'],
    ['https://user@example.com', 'invalid_url'],
    ['https://user:password@example.com', 'invalid_url'],
    ['https://@example.com', 'invalid_url'],
    ['https://example.com/#part', 'invalid_url'],
    ['https://example.com/#', 'invalid_url'],
    [' https://example.com', 'invalid_url'],
    ['https://example.com/a b', 'invalid_url'],
    ['https://exam\tple.com', 'invalid_url'],
    ['https://example.com/\r\nX-Evil: 1', 'invalid_url'],
    ['https://example.com/\u0000', 'invalid_url'],
    ['https://example.com/\ud800', 'invalid_url'],
    ['https://[::1', 'invalid_url'],
    ['https://1.2.3.4.5/', 'invalid_url'],
    ['https://256.0.0.1/', 'invalid_url'],
    ['https://example.com:65536/', 'invalid_url'],
    ['https://example.com:-1/', 'invalid_url'],
    ['http://example.com/', 'https_required'],
    ['HTTP://example.com/', 'https_required'],
    ['https://example.com:0/', 'blocked_port'],
    ['https://example.com:22/', 'blocked_port'],
    ['https://example.com:25/', 'blocked_port'],
    ['https://example.com:6667/', 'blocked_port'],
    [`https://example.com/${'a'.repeat(2048)}`, 'too_long'],
    [null, 'invalid_url'],
    [undefined, 'invalid_url'],
    [7, 'invalid_url'],
    [['https://example.com'], 'invalid_url'],
    [{}, 'invalid_url'],
  ])('must not be %j: %s', (url, code) => {
    const fault = findWebhookUrlFault(url, strict)
    expect(fault).toEqual({ code, detail: expect.stringMatching(/^[A-Z].+\.$/) })
  })

  it.each([...blocked.map(inUrl), ...hostsOfThisMachine])('must not have the host %s', (host) => {
    expect(findWebhookUrlFault(`https://${host}/`, strict)).toMatchObject({ code: 'blocked_address' })
    expect(findWebhookUrlFault(`https://${host}:8443/hooks`, strict)).toMatchObject({
      code: 'blocked_address',
    })
  })
})

describe('the error for a local receiver', () => {
  const detail = (url: string) => findWebhookUrlFault(url, strict)?.detail

  it.each(['http://localhost:8080/hooks', 'http://10.0.0.5/', 'https://127.0.0.1/', 'https://[fd00::1]/'])(
    'names the settings that allow %s, and the command that forwards events',
    (url) => {
      expect(detail(url)).toContain('WEBHOOK_ALLOWED_CIDRS')
      expect(detail(url)).toContain('link-service listen --forward-to ')
      expect(detail(url)?.includes('WEBHOOK_ALLOW_HTTP=true')).toBe(url.startsWith('http:'))
    },
  )

  it('names only WEBHOOK_ALLOW_HTTP for a public host over http', () => {
    expect(detail('http://example.com/')).toContain('WEBHOOK_ALLOW_HTTP=true')
    expect(detail('http://example.com/')).not.toContain('WEBHOOK_ALLOWED_CIDRS')
  })
})

describe('the URL of a webhook when http and loopback addresses are allowed', () => {
  it.each([...hostsOfThisMachine.map((host) => `http://${host}:8080/`), 'http://example.com/'])(
    'may be %s',
    (url) => {
      expect(findWebhookUrlFault(url, development)).toBeNull()
    },
  )

  it.each([
    ['http://10.0.0.1/', 'blocked_address'],
    ['http://169.254.169.254/latest/meta-data', 'blocked_address'],
    ['http://localhost:22/', 'blocked_port'],
    ['http://user@localhost/', 'invalid_url'],
    ['file:///etc/passwd', 'invalid_url'],
  ])('must still not be %s', (url, code) => {
    expect(findWebhookUrlFault(url, development)).toMatchObject({ code })
  })

  it('may be localhost when only one of its two addresses is allowed', () => {
    const rules = { webhookAllowHttp: true, webhookAllowedCidrs: networks('::1/128') }
    expect(findWebhookUrlFault('http://localhost/', rules)).toBeNull()
    expect(findWebhookUrlFault('http://127.0.0.1/', rules)).toMatchObject({ code: 'blocked_address' })
  })
})
