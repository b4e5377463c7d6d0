export const pepper: string
export const encryptionKey: string
export function createEnvironment(dataDir: string): Record<string, string>
