import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { alternate, type BenchCase, compared, startServer } from '../measure';
import { startService } from '../service';
import { createCategories } from './categories';

const PATH = '/v1/mcp/categories';
const REFERENCE = 'bare Express, no authentication';

/** What signing in costs: each credential, on the operation that does nothing else, against bare Express. */
export const signIn: BenchCase = async (settings) => {
  const service = await startService(settings, 'bench_sign_in', 3925);
  await createCategories(service.database);
  const file = join(settings.dataDir, 'sign-in-categories.json');
  writeFileSync(file, JSON.stringify((await service.call('GET', PATH)).body));
  const personal = { name: 'Bench', scopes: ['catalog:read'] };
  const { body } = await service.call('POST', '/v1/users/me/access-tokens', personal);
  const { token } = body as { token: string };
  const express = await startServer(join(__dirname, '..', 'references', 'bare-express.js'), 3926, { BODY: file }, '/');
  const measured = (name: string, bearer: string) => ({
    name,
    url: service.url + PATH,
    headers: { authorization: `Bearer ${bearer}` },
  });
  try {
    const rounds = await alternate(
      [
        measured('categories, JWT', service.token),
        measured('categories, personal access token', token),
        { name: REFERENCE, url: express.url + PATH },
      ],
      settings,
    );
    return [
      compared(rounds, 'categories, JWT', REFERENCE, '≥ 0.85'),
      compared(rounds, 'categories, personal access token', REFERENCE, '≥ 0.6'),
      compared(rounds, REFERENCE, REFERENCE),
    ];
  } finally {
    await Promise.all([service.stop(), express.stop()]);
  }
};
