import type { Answer, Service } from './service.js'
import { waitFor } from './wait-for.js'

/** Waits for the next hour if the current one ends within 20 seconds, so that no hourly window ends during a test. */
export async function farFromTheHour(): Promise<void> {
  await waitFor('a new hour', () => Date.now() % 3_600_000 < 3_580_000, 25_000)
}

export const self = (service: Service, token: string) => service.call('GET', '/v1/auth/token/self', { token })
export const accepted = (responses: Answer[]) => responses.filter(({ status }) => status === 200).length
