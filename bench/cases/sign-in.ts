import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addSession } from '../browser';
import { alternate, type BenchCase, compared, startServer } from '../measure';
import { startService } from '../service';
import { createCategories } from './categories';

const PATH = '/v1/mcp/categories';
const REFERENCE = 'bare Express, no authentication';

/** What each credential costs, on the operation that does nothing else, against bare Express. */
export const signIn: BenchCase = async (settings) => {
  const service = await startService(settings, 'bench_sign_in', 3925);
  await createCategories(service.database);
  const file = join(settings.dataDir, 'sign-in-categories.json');
  writeFileSync(file, JSON.stringify((await service.call('GET', PATH)).body));
  const personal = { name: 'Bench', scopes: ['catalog:read'] };
  const { body } = await service.call('POST', '/v1/users/me/access-tokens', personal);
  const { token } = body as { token: string };
  const cookie = await addSession(service.database, service.userId);
  const express = await startServer(join(__dirname, '..', 'references', 'bare-express.js'), 3926, { BODY: file }, '/');
  const measured = (name: string, headers: Record<string, string>) => ({ name, url: service.url + PATH, headers });
  try {
    const rounds = await alternate(
      [
        measured('categories, JWT', { authorization: `Bearer ${service.token}` }),
        measured('categories, session cookie', { cookie }),
        measured('categories, personal access token', { authorization: `Bearer ${token}` }),
        { name: REFERENCE, url: express.url + PATH },
      ],
      settings,
    );
    return [
      compared(rounds, 'categories, JWT', REFERENCE, '≥ 0.85'),
      compared(rounds, 'categories, session cookie', REFERENCE, '≥ 0.6'),
      compared(rounds, 'categories, personal access token', REFERENCE, '≥ 0.6'),
      compared(rounds, REFERENCE, REFERENCE),
    ];
  } finally {
    await Promise.all([service.stop(), express.stop()]);
  }
};
