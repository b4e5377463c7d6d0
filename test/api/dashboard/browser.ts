/** The headers that the dashboard sends, and the session cookie that a browser stores. */
import type { ServiceResponse, Service } from '../../support/service.js'

export const fromPage = { 'sec-fetch-site': 'same-origin' }

export function signIn(
  service: Service,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<ServiceResponse> {
  return service.call('POST', '/dashboard/session', {
    token: null,
    body,
    headers: { ...fromPage, ...headers },
  })
}

/** Returns the Cookie header for later requests. */
export function cookieFrom({ headers }: ServiceResponse): string {
  return headers.get('set-cookie')!.split(';')[0]!
}

export async function signInAs(service: Service, token: string): Promise<string> {
  const response = await signIn(service, { token })
  if (response.status !== 204) throw new Error(`The sign-in failed: ${response.status} ${response.text}`)
  return cookieFrom(response)
}

export function getSignInCode(address: string): string {
  const { pathname, hash } = new URL(address)
  expect(pathname).toBe('/dashboard')
  return new URLSearchParams(hash.slice(1)).get('code')!
}
