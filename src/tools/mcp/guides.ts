/** The guides that the service lists in llms.txt. */
export interface GuideEntry {
  title: string
  description: string
  url: string
}

/** Returns the guides of a list. An agent reads them by URL, so only those of the service are returned. */
export function findGuides(list: string, origin: string): GuideEntry[] {
  return [...list.matchAll(/^- \[([^\]]+)\]\(([^)]+)\)(?:: (.+))?$/gm)]
    .map(([, title = '', path = '', description = title]) => ({
      title,
      description,
      url: new URL(path, origin).href,
    }))
    .filter(({ url }) => new URL(url).origin === origin)
}
