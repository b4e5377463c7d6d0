export async function measureMillion() {}
