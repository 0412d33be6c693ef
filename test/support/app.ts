import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { OpenAPIObject } from '@nestjs/swagger';
import { pino } from 'pino';
import type { DataSource } from 'typeorm';
import { configureApp, createApp } from '../../src/app';
import { signToken } from '../../src/auth/own-issuer';
import { SigningKeys } from '../../src/auth/signing-keys/signing-keys.service';
import { Clock } from '../../src/config/clock';
import { Environment } from '../../src/config/environment';
import { createDataSource } from '../../src/database/data-source';
import { IdleConnections } from '../../src/http/idle-connections';
import { LINES } from '../../src/http/log/json-logger';
import { ENTITIES, MIGRATIONS } from '../../src/schema';
import { DnsError, DnsResolver } from '../../src/outbound/dns-resolver';
import { Api } from './api';
import { createDatabase, TestDatabase } from './database';
import { expectDeclaredEvents } from './declared-events';
import { committedDocument } from './committed-document';
import { NO_REQUEST_LIMITS } from './no-request-limits';

export const PUBLIC_URL = 'https://toolyard.test';

export interface TestApp {
  app: NestExpressApplication;
  /** Where it listens: http://127.0.0.1:<port>. */
  url: string;
  dataSource: DataSource;
  /** For further replicas on the same database. */
  database: TestDatabase;
  /** For further replicas with the same signing key. */
  dataDir: string;
  document: OpenAPIObject;
  /** Everything that was logged, one JSON object a line. */
  log: string[];
  /** Calls without a token. */
  anonymous: Api;
  /** Calls as the account of that subject, made at its first call; the address is <subject>@example.com. */
  as: (subject: string) => Promise<Api>;
  /** An access token of the own issuer. */
  token: (
    subject: string,
    claims?: { email?: string; name?: string; ttl?: number; isAdmin?: boolean; scope?: string },
  ) => Promise<string>;
  /** Fails if an event was recorded that is not as its schema says. */
  close: () => Promise<void>;
}

export interface TestAppOptions {
  env?: Record<string, string>;
  clock?: Clock;
  /** Tells the addresses of webhook targets; knows none if it is left out, so that no test waits for a real one. */
  dns?: DnsResolver;
  /** The database of another replica; a new one if it is left out. */
  database?: TestDatabase;
  /** The data directory of another replica; a new one if it is left out. */
  dataDir?: string;
  /** Where it listens, for real browsers: `PUBLIC_URL` is then its own address. Any free port if it is left out. */
  port?: number;
}

/** Starts the real application, as main.ts configures it, on a database of its own. */
export async function createTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const database = options.database ?? (await createDatabase());
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'toolyard-app-'));
  const environment = new Environment({
    PORT: '0',
    PUBLIC_URL: options.port === undefined ? PUBLIC_URL : `http://localhost:${options.port}`,
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    // Only test/namespaces… are about who may publish what; all others publish whatever they need.
    PUBLIC_LISTINGS: 'anybody',
    // It is built only for the suites of test/console.
    CONSOLE: 'false',
    // Many suites make an organisation for each test; the cap has a suite of its own.
    LIMIT_ORGANISATIONS_PER_PERSON: '1000',
    LIMIT_SYNCS_PER_MINUTE: '10000',
    LIMIT_PREVIEWS_PER_MINUTE: '10000',
    ...NO_REQUEST_LIMITS,
    // Beside much other work the database of the tests is slow, and not frozen.
    DATABASE_DEADLINE_SECONDS: '60',
    ...options.env,
  });
  const log: string[] = [];
  const logger = pino({ level: 'debug', ...LINES }, { write: (line: string) => void log.push(line) });
  // Of its own: an application closes its data source when it closes.
  const dataSource = createDataSource({
    url: database.url,
    poolSize: environment.databasePoolSize,
    entities: ENTITIES,
    migrations: MIGRATIONS,
  });
  await dataSource.initialize();
  const { clock, dns = new EmptyDns() } = options;
  const app = await createApp({ environment, dataSource, databaseUrl: database.url, clock, dns }, logger);
  const document = await configureApp(app, logger, committedDocument);
  await app.listen(options.port ?? 0, '127.0.0.1');
  // As the program: a client that the machine keeps waiting must not reuse a connection that is being closed.
  const server: Server = app.getHttpServer();
  server.keepAliveTimeout = 75_000;
  const connections = new IdleConnections(server);
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const token: TestApp['token'] = async (
    subject,
    { email = `${subject}@example.com`, name, ttl = 3_600, isAdmin, scope } = {},
  ) =>
    signToken(app.get(SigningKeys).current(), {
      issuer: environment.publicUrl,
      audience: 'toolyard',
      subject,
      email,
      name,
      ttl,
      isAdmin,
      scope,
      // A token may not expire in years, and a fake clock may stand years ago.
      from: new Date(Math.min(Date.now(), (clock?.now().getTime() ?? Infinity) + 390 * 86_400_000)),
    });
  return {
    app,
    url,
    dataSource: database.dataSource,
    database,
    dataDir,
    document,
    log,
    anonymous: new Api(url, document),
    as: async (subject) => new Api(url, document, await token(subject)),
    token,
    close: async () => {
      const stopClosing = connections.keepClosing();
      try {
        await app.close();
      } finally {
        stopClosing();
      }
      try {
        if (database.dataSource.isInitialized) await expectDeclaredEvents(database.dataSource);
      } finally {
        if (!options.database) await database.drop();
        if (!options.dataDir) rmSync(dataDir, { recursive: true, force: true });
      }
    },
  };
}

/** A DNS in which there is no name. */
class EmptyDns extends DnsResolver {
  override lookup(): Promise<string[]> {
    return Promise.reject(new DnsError(true));
  }

  override txt(): Promise<string[]> {
    return Promise.reject(new DnsError(true));
  }
}

/** A clock that stands still until it is set. */
export class FakeClock extends Clock {
  constructor(public time = new Date('2026-11-21T12:00:00.000Z')) {
    super();
  }

  override now(): Date {
    return new Date(this.time);
  }

  /** @param ms how far to move */
  advance(ms: number): void {
    this.time = new Date(this.time.getTime() + ms);
  }
}
