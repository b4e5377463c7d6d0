/** Sends a request of the generated client, and returns the body of the response. */
export async function fetcher<T>(url: string, options: RequestInit): Promise<T> {
  const headers = new Headers(options.headers)
  headers.set('authorization', `Bearer ${process.env.LINK_SERVICE_TOKEN}`)
  const response = await fetch(`${process.env.LINK_SERVICE_URL}${url}`, { ...options, headers })
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as T
}
