import { createPublicKey, type JsonWebKey } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from 'pg';
import { alternate, type BenchCase, compared, startServer } from '../measure';
import { signingKeyOf, startService } from '../service';

const CATEGORIES = 25;

/** Creates the categories that the answers contain. */
export async function createCategories(database: Client): Promise<void> {
  await database.query(`
    INSERT INTO categories (name, slug, description, icon, display_order)
    SELECT 'Category ' || n, 'category-' || n, 'Tool servers that help with the ' || n || 'th kind of work in a team.', 'box', n
    FROM generate_series(1, ${CATEGORIES}) AS n`);
}

/** `GET /v1/mcp/categories`, authenticated, against the same body from bare Express and from naive Nest. */
export const categories: BenchCase = async (settings) => {
  const service = await startService(settings, 'bench_categories', 3901);
  await createCategories(service.database);
  const { body } = await service.call('GET', '/v1/mcp/categories');
  const file = join(settings.dataDir, 'categories.json');
  writeFileSync(file, JSON.stringify(body));
  const { privateJwk } = await signingKeyOf(service.databaseUrl);
  const { kty, crv, x, y } = privateJwk;
  const PUBLIC_KEY = createPublicKey({ key: { kty, crv, x, y } as JsonWebKey, format: 'jwk' })
    .export({ type: 'spki', format: 'pem' })
    .toString();
  const references = join(__dirname, '..', 'references');
  const express = await startServer(join(references, 'bare-express.js'), 3902, { BODY: file }, '/');
  const nest = await startServer(join(references, 'naive-nest.js'), 3903, { BODY: file, PUBLIC_KEY }, '/');
  const headers = { authorization: `Bearer ${service.token}` };
  const path = '/v1/mcp/categories';
  try {
    const rounds = await alternate(
      [
        { name: 'categories', url: service.url + path, headers },
        { name: 'categories, brotli', url: service.url + path, headers: { ...headers, 'accept-encoding': 'br' } },
        { name: 'bare Express, no authentication', url: express.url + path },
        { name: 'naive Nest with passport-jwt', url: nest.url + path, headers },
      ],
      settings,
    );
    return [
      compared(rounds, 'categories', 'bare Express, no authentication', '≥ 0.8'),
      compared(rounds, 'categories', 'naive Nest with passport-jwt', '≥ 3'),
      compared(rounds, 'categories, brotli', 'categories', '≥ 0.9'),
      compared(rounds, 'bare Express, no authentication', 'bare Express, no authentication'),
      compared(rounds, 'naive Nest with passport-jwt', 'bare Express, no authentication'),
    ];
  } finally {
    await Promise.all([service.stop(), express.stop(), nest.stop()]);
  }
};
