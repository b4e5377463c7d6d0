import type { ServiceResponse, Service } from './service.js'
import { waitFor } from './wait-for.js'

const hourMs = 3_600_000
/** The timeout of a test. */
const testTimeoutMs = 60_000

/** Starts no test in the last minute of an hour, because hourly limits start again with the next hour. */
export function keepFarFromTheHour(): void {
  const isFar = () => Date.now() % hourMs < hourMs - testTimeoutMs
  beforeEach(() => waitFor('a new hour', isFar, testTimeoutMs + 5_000), testTimeoutMs + 10_000)
}

export const self = (service: Service, token: string) => service.call('GET', '/v1/auth/token/self', { token })
export const accepted = (responses: ServiceResponse[]) =>
  responses.filter(({ status }) => status === 200).length
