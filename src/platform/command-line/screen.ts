/** What an output stream can show: its width and colors. */
export interface Screen {
  /** Null for a file or a pipe, where nothing is shortened. */
  width: number | null
  hasColor: boolean
}

/** The meaning of a state, with the names of the dashboard. */
export type Tone = 'plain' | 'good' | 'warn' | 'bad' | 'accent'

const codes = { good: 32, warn: 33, bad: 31, accent: 36, dim: 2 } as const

export function getScreen(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): Screen {
  return { width: (stream.isTTY && stream.columns) || null, hasColor: hasColor(stream, env) }
}

/** FORCE_COLOR takes precedence over NO_COLOR, as in Node.js. */
function hasColor(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): boolean {
  const force = env['FORCE_COLOR']
  if (force !== undefined) return force !== '0' && force !== 'false'
  if (!stream.isTTY) return false
  return !env['NO_COLOR'] && env['TERM'] !== 'dumb'
}

export function paint(text: string, tone: Tone | 'dim', { hasColor }: Pick<Screen, 'hasColor'>): string {
  return hasColor && tone !== 'plain' ? `\u001b[${codes[tone]}m${text}\u001b[0m` : text
}
