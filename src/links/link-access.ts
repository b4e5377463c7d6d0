/** Whether a caller who is restricted to tags can access a link. Null means all links. */
export function canAccess(callerTags: readonly string[] | null, linkTags: readonly string[]): boolean {
  return callerTags === null || linkTags.some((tag) => callerTags.includes(tag))
}
