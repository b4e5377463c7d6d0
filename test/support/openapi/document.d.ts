export function differences(
  method: string,
  path: string,
  answer: { status: number; headers: Headers; text: string; body: unknown },
): string[]
