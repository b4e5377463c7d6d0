/** The guides that the service lists in llms.txt. */
export interface GuideEntry {
  title: string
  description: string
  url: string
}

/** Parses llms.txt. An agent reads guides by URL, so guides at other origins are omitted. */
export function findGuides(list: string, origin: string): GuideEntry[] {
  return [...list.matchAll(/^- \[([^\]]+)\]\(([^)]+)\)(?:: (.+))?$/gm)]
    .map(([, title = '', path = '', description = title]) => ({
      title,
      description,
      url: new URL(path, origin).href,
    }))
    .filter(({ url }) => new URL(url).origin === origin)
}
