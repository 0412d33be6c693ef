import { join } from 'node:path';
import { Client } from 'pg';
import { signToken } from '../src/auth/own-issuer';
import { currentKey } from '../src/auth/signing-keys/key-rotation';
import type { SigningKey } from '../src/auth/signing-keys/signing-key';
import { StoredSigningKey } from '../src/auth/signing-keys/signing-key.entity';
import { SigningKeyStore } from '../src/auth/signing-keys/signing-key-store';
import { Clock } from '../src/config/clock';
import { Secrets } from '../src/config/secrets';
import { createDataSource } from '../src/database/data-source';
import { type BenchSettings, type Server, startServer } from './measure';

export const PUBLIC_URL = 'http://toolyard.bench';
const SECRETS_KEY = Buffer.alloc(32);

/** The service under test, with a database of its own. */
export interface Service extends Server {
  database: Client;
  databaseUrl: string;
  token: string;
  /** The account of the token. */
  userId: string;
  call: (method: string, path: string, body?: object) => Promise<{ status: number; body: unknown }>;
}

/** Starts the real service, like `node dist/src/main.js`, on a new database. */
export async function startService(
  settings: BenchSettings,
  name: string,
  port: number,
  env: Record<string, string> = {},
): Promise<Service> {
  const admin = new Client({ connectionString: settings.serverUrl });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name}`);
  await admin.end();
  const address = new URL(settings.serverUrl);
  address.pathname = `/${name}`;
  const databaseUrl = address.toString();
  const server = await startReplica(settings, databaseUrl, port, env);
  const database = new Client({ connectionString: databaseUrl });
  // Where a case fails, PostgreSQL ends before its clients: that would hide why.
  database.on('error', () => undefined);
  await database.connect();
  const token = await tokenFor(databaseUrl, 'bench');
  const call: Service['call'] = async (method, path, body) => {
    const response = await fetch(server.url + path, {
      method,
      headers: { Authorization: `Bearer ${token}`, ...(body ? { 'Content-Type': 'application/json' } : {}) },
      body: body ? JSON.stringify(body) : undefined,
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return { status: response.status, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
  };
  const me = (await call('GET', '/v1/users/me')).body as { id: string };
  const stop = async () => {
    await database.end();
    await server.stop();
  };
  return { ...server, stop, database, databaseUrl, token, userId: me.id, call };
}

/** Starts the real service on a database of another one: a replica, if that one still runs. */
export function startReplica(
  settings: BenchSettings,
  databaseUrl: string,
  port: number,
  env: Record<string, string> = {},
): Promise<Server> {
  return startServer(
    join(__dirname, '..', 'src', 'main.js'),
    port,
    {
      DATABASE_URL: databaseUrl,
      DATA_DIR: settings.dataDir,
      PUBLIC_URL,
      SECRETS_KEY: SECRETS_KEY.toString('base64'),
      // Everything comes from one address and few accounts; only the case `limits` is about limits.
      LIMIT_PRINCIPAL_REQUESTS_PER_MINUTE: '0',
      LIMIT_ADDRESS_REQUESTS_PER_MINUTE: '0',
      LIMIT_FAILED_AUTHENTICATIONS_PER_MINUTE: '0',
      ...env,
    },
    '/readyz',
  );
}

/** @returns an access token, like one of `npm run token`; its account is created by its first use */
export async function tokenFor(databaseUrl: string, name: string): Promise<string> {
  return signToken(await signingKeyOf(databaseUrl), {
    issuer: PUBLIC_URL,
    audience: 'toolyard',
    subject: name,
    email: `${name}@example.com`,
    ttl: 86_400,
  });
}

/** @returns the key with which a service of the bench signs now */
export async function signingKeyOf(databaseUrl: string): Promise<SigningKey> {
  const dataSource = createDataSource({
    url: databaseUrl,
    poolSize: 1,
    entities: [StoredSigningKey],
    migrations: [],
  });
  await dataSource.initialize();
  try {
    const clock = new Clock();
    const keys = await new SigningKeyStore(dataSource, new Secrets(SECRETS_KEY), clock).read();
    const key = currentKey(keys, clock.now())?.private;
    if (key === undefined) throw new Error('The service has no signing key.');
    return key;
  } finally {
    await dataSource.destroy();
  }
}
