import type { Server } from 'node:http';
import type { DataSource } from 'typeorm';
import { configureApp, createApp } from './app';
import { SampleCatalogue } from './catalog/sample/sample-catalogue';
import { Environment } from './config/environment';
import { isUnavailable } from './database/database-errors';
import { createDataSource } from './database/data-source';
import { EmbeddedPostgres } from './database/embedded-postgres';
import { migrate } from './database/migrate';
import { createLog } from './http/json-logger';
import { ENTITIES, MIGRATIONS } from './schema';

const OLDEST_POSTGRES = 150_000;
const DATABASE_PATIENCE_MS = 60_000;

/** A process that serves. */
export interface Running {
  /** Where it listens. */
  url: string;
  /** Takes no new requests, lets those in flight finish, closes the database. Idempotent. */
  stop: () => Promise<void>;
}

/**
 * environment → database (embedded if none is named) → migrations → sample catalogue → listen.
 *
 * @param variables normally `process.env`
 * @throws Error with a message for the operator
 */
export async function start(variables: NodeJS.ProcessEnv): Promise<Running> {
  const environment = new Environment(variables);
  const log = createLog(environment.logLevel);
  const embedded = environment.databaseUrl
    ? undefined
    : await EmbeddedPostgres.start(environment.dataDir, (line) => log.info(line));
  const databaseUrl = environment.databaseUrl ?? embedded?.url ?? '';
  try {
    const dataSource = createDataSource({
      url: databaseUrl,
      poolSize: environment.databasePoolSize,
      entities: ENTITIES,
      migrations: MIGRATIONS,
    });
    await connect(dataSource, (line) => log.warn(line));
    const ran = await migrate(dataSource);
    if (ran.length > 0) log.info(`Ran ${ran.length} migrations.`);

    const app = await createApp({ environment, dataSource, databaseUrl }, log);
    // Before the application starts, so that the first refresh of the counts finds it.
    if (environment.sampleCatalogue) await app.get(SampleCatalogue).loadIfEmpty();
    await configureApp(app, log);
    const server = app.getHttpServer();
    server.keepAliveTimeout = 75_000; // longer than a load balancer's, so that it never meets a closing socket
    await app.listen(environment.port, environment.host);

    let stopped: Promise<void> | undefined;
    const stop = async () => {
      log.info('Stopping: no new requests, those in flight finish.');
      const idle = closeConnectionsWhenIdle(server);
      await app.close().finally(() => clearInterval(idle));
      await embedded?.stop();
      log.info('Stopped.');
      log.flush();
    };
    void embedded?.exited.then((code) => {
      if (stopped) return;
      process.stderr.write(
        `The embedded PostgreSQL ended unexpectedly (${code ?? 'by a signal'}); see its log in ${environment.dataDir}.\n`,
      );
      process.exit(1);
    });
    if (environment.run.has('api')) greet(environment, embedded !== undefined);
    return { url: environment.publicUrl, stop: () => (stopped ??= stop()) };
  } catch (error) {
    await embedded?.stop();
    log.flush();
    throw error;
  }
}

/** A database often starts together with us, a little later. */
async function connect(dataSource: DataSource, warn: (line: string) => void): Promise<void> {
  const deadline = Date.now() + DATABASE_PATIENCE_MS;
  for (;;) {
    try {
      await dataSource.initialize();
      break;
    } catch (error) {
      const reason =
        error instanceof Error ? error.message || String((error as NodeJS.ErrnoException).code) : String(error);
      if (!isUnavailable(error) || Date.now() > deadline) {
        throw new Error(`DATABASE_URL: the database cannot be used: ${reason}`, { cause: error });
      }
      warn(`The database does not answer yet (${reason}); trying again.`);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
  }
  const [row] = await dataSource.query<{ version: number }[]>(
    `SELECT current_setting('server_version_num')::int AS version`,
  );
  if ((row?.version ?? 0) < OLDEST_POSTGRES) throw new Error('DATABASE_URL: Toolyard needs PostgreSQL 15 or newer.');
}

/**
 * A connection that is idle when the server closes is closed with it; one whose request is still being answered then
 * would be kept alive afterwards and hold up the end.
 */
function closeConnectionsWhenIdle(server: Server): NodeJS.Timeout {
  return setInterval(() => server.closeIdleConnections(), 50);
}

function greet({ publicUrl, externalIssuer }: Environment, embedded: boolean): void {
  const token = externalIssuer
    ? `Get an access token from ${externalIssuer.issuer}.`
    : 'Next, in a second terminal:  npm run --silent token -- --email alice@example.com';
  process.stderr.write(
    `\nToolyard serves at ${publicUrl}/v1${embedded ? ' (embedded PostgreSQL)' : ''}\nDocumentation: ${publicUrl}/docs\n${token}\n\n`,
  );
}
