export function copyTemplate(): Promise<string>
export function dropCopy(url: string): Promise<void>
