/** The versions of what was read. They stand beside the objects, which stay as the API answered them. */
const versions = new WeakMap<object, string>()

export function rememberETag(result: unknown, etag: string | null): void {
  if (etag !== null && typeof result === 'object' && result !== null) versions.set(result, etag)
}

/** The version of an object that this client has answered, for `ifMatch`; undefined for others. */
export function etagOf(result: object): string | undefined {
  return versions.get(result)
}
