/** The ETags of objects that were read. They are kept apart, so the objects stay as the API answered them. */
const versions = new WeakMap<object, string>()

export function rememberETag(result: unknown, etag: string | null): void {
  if (etag !== null && typeof result === 'object' && result !== null) versions.set(result, etag)
}

/** The ETag of an object that a call has returned, for `ifMatch`. Undefined for other objects. */
export function etagOf(result: object): string | undefined {
  return versions.get(result)
}
