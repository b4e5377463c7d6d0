/** URLs of API calls that the browser opens directly, such as downloads. */
import { apiBase } from '../app/base.js'

type Query = Readonly<Record<string, string | number | boolean | readonly string[] | null | undefined>>

export function apiUrl(path: string, query: Query = {}): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const each of Array.isArray(value) ? (value as string[]) : [value])
      if (each !== undefined && each !== null && each !== '') parameters.append(name, String(each))
  const search = parameters.toString()
  return apiBase + path + (search && `?${search}`)
}
