import { rmSync } from 'node:fs';

export default async function teardown(): Promise<void> {
  await globalThis.testPostgres?.stop();
  if (process.env.TEST_DATA_DIR) rmSync(process.env.TEST_DATA_DIR, { recursive: true, force: true });
}
