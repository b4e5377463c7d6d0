export const pepper: string
export const encryptionKey: string
export function environmentOf(dataDir: string): Record<string, string>
