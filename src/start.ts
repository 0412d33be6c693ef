import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import { configureApp, createApp } from './app';
import { AuthorizationServer } from './auth/authorization-server/authorization-server';
import { SampleCatalogue } from './catalog/sample/sample-catalogue';
import { Ending } from './config/ending';
import { Environment } from './config/environment';
import type { SecretVariable } from './config/environment-reader';
import { isUnavailable } from './database/database-errors';
import { createDataSource } from './database/data-source';
import { EmbeddedPostgres } from './embedded/embedded-postgres';
import { messageOf } from './errors/message-of';
import { migrate } from './database/migrate';
import { NewerSchemaError } from './database/schema-requirements';
import { maybe } from './database/statements';
import { requireTimeouts } from './database/time-outs';
import { IdleConnections } from './http/idle-connections';
import { createLog } from './http/log/json-logger';
import { ENTITIES, MIGRATIONS } from './schema';
import { DatabaseTime } from './operations/database-time';
import { loadedSdk } from './tracing/tracing';
import { MetricsServer } from './operations/metrics-server';
import { Replicas } from './operations/replicas.service';
import { SetUpTokens } from './sign-in/set-up/set-up-tokens';

const OLDEST_POSTGRES = 150_000;
const DATABASE_PATIENCE_MS = 60_000;
/** Less than the 30 seconds after which an orchestrator sends SIGKILL. */
const REQUEST_PATIENCE_MS = 22_000;
/** The limit for closing connections after a failed start: a peer that has vanished does not answer that either. */
const GOODBYE_MS = 2_000;

/** Options of a start, besides its configuration. */
export interface StartOptions {
  /** Aborted when the process is to end; an unfinished start is then abandoned. */
  signal?: AbortSignal;
  /** How long to wait for a database that does not answer yet; milliseconds. */
  databasePatience?: number;
  /** How long a stop waits for requests in flight before it cuts them off; milliseconds. */
  requestPatience?: number;
}

/** A running service. */
export interface Running {
  /** The address it listens on. */
  url: string;
  /**
   * Rejects when it is time to stop: with the reason of the signal, or with an Error for the operator when the embedded
   * PostgreSQL has ended. Never resolves.
   */
  ended: Promise<never>;
  /** Accepts no new requests, lets those in flight finish, closes the database. Idempotent. */
  stop: () => Promise<void>;
  /** Skips the wait: requests in flight are cut off. */
  hurry: () => void;
}

/**
 * environment → database (embedded if none is named) → migrations → sample catalogue → listen.
 *
 * @param variables normally `process.env`
 * @throws Error with a message for the operator, or the signal's reason if it was aborted. Nothing is left running.
 */
export async function start(variables: NodeJS.ProcessEnv, options: StartOptions = {}): Promise<Running> {
  const environment = new Environment(variables);
  const log = createLog(environment.logLevel, environment.logFormat);
  const lost = new AbortController();
  const ending = AbortSignal.any([options.signal ?? lost.signal, lost.signal]);
  const ended = aborted(ending);
  let embedded: EmbeddedPostgres | undefined;
  let close = (): Promise<unknown> => Promise.resolve();
  try {
    if (!environment.databaseUrl) {
      embedded = await EmbeddedPostgres.start(environment.dataDir, (line) => log.info(line));
      void embedded.exited.then((code) => lost.abort(embeddedIsGone(code, environment)));
    }
    const databaseUrl = environment.databaseUrl ?? embedded?.url ?? '';
    const dataSource = createDataSource({
      url: databaseUrl,
      directUrl: environment.databaseDirectUrl,
      poolSize: environment.databasePoolSize,
      preparesStatements: environment.preparesStatements,
      entities: ENTITIES,
      migrations: MIGRATIONS,
    });
    close = async () => dataSource.isInitialized && dataSource.destroy();
    await Promise.race([ended, connect(dataSource, log, options.databasePatience ?? DATABASE_PATIENCE_MS, ending)]);
    const began = performance.now();
    const ran = await Promise.race([ended, bringUpToDate(dataSource, environment, log)]);
    if (ran.length > 0) log.info(`Ran ${ran.length} migrations. It took ${Math.round(performance.now() - began)} ms.`);

    // LISTEN needs a session of its own.
    const listenUrl = environment.databaseDirectUrl ?? databaseUrl;
    const app = await createApp({ environment, dataSource, databaseUrl: listenUrl }, log);
    close = () => app.close();
    // Before anything uses the clock.
    await Promise.race([ended, app.get(DatabaseTime).read()]);
    // Before the application starts, so that the first refresh of the counts includes it.
    await Promise.race([ended, prepareSample(app.get(SampleCatalogue), environment)]);
    await Promise.race([ended, configureApp(app, log)]);
    const end = prepareEnd(app, log, environment, options.requestPatience ?? REQUEST_PATIENCE_MS);
    // Before it listens, so that who finds it ready can read it.
    const setUp = environment.run.has('api') ? await app.get(SetUpTokens).greeting() : undefined;
    if (environment.run.has('api')) app.get(AuthorizationServer).prepare();
    await listen(app, environment);
    sayWhetherTraced(environment, log);
    await serveMetrics(app.get(MetricsServer), environment, log);
    await app.get(Replicas).join();
    app.get(DatabaseTime).keep();

    let stopped: Promise<void> | undefined;
    const stop = async () => {
      try {
        await end.announce();
        log.info('Shutting down: no new requests; requests in flight will finish.');
        await end.close();
      } finally {
        await app.get(MetricsServer).close();
        await embedded?.stop();
        log.info('Stopped.');
        log.flush();
      }
    };
    greet(environment, await app.getUrl(), embedded !== undefined, setUp, tokenHint(variables));
    return { url: environment.publicUrl, ended, stop: () => (stopped ??= stop()), hurry: end.hurry };
  } catch (error) {
    await Promise.race([close().catch(() => undefined), sleep(GOODBYE_MS, undefined, { ref: false })]);
    await embedded?.stop();
    log.flush();
    throw error;
  }
}

/** Rejects with the reason once the signal is aborted, without an unhandled rejection if nobody awaits it. */
function aborted(signal: AbortSignal): Promise<never> {
  const promise = new Promise<never>((_resolve, reject) => {
    const fail = () => reject(signal.reason as Error);
    if (signal.aborted) fail();
    else signal.addEventListener('abort', fail, { once: true });
  });
  promise.catch(() => undefined);
  return promise;
}

function embeddedIsGone(code: number | null, { dataDir }: Environment): Error {
  const how = code === null ? 'by a signal' : `with code ${code}`;
  return new Error(`The embedded PostgreSQL ended unexpectedly (${how}); see postgres.log in DATA_DIR ${dataDir}.`);
}

/** A database often starts together with us, a little later. */
async function connect(dataSource: DataSource, log: Logger, patience: number, ending: AbortSignal): Promise<void> {
  const deadline = Date.now() + patience;
  for (;;) {
    try {
      await dataSource.initialize();
      break;
    } catch (error) {
      const reason = messageOf(error);
      // What PgBouncer answers to a client that sets its own time-outs.
      if (reason.includes('unsupported startup parameter'))
        throw new Error(
          `DATABASE_URL: this is a pooler (${reason}). Set DATABASE_DIRECT_URL to the address of PostgreSQL itself.`,
          { cause: error },
        );
      if (!isUnavailable(error))
        throw new Error(`DATABASE_URL: the database cannot be used: ${reason}`, { cause: error });
      if (Date.now() > deadline) {
        const waited = `${Math.round(patience / 1_000)} s`;
        throw new Error(`DATABASE_URL: the database did not answer within ${waited}: ${reason}`, {
          cause: error,
        });
      }
      log.warn(`The database does not answer yet (${reason}); trying again.`);
      log.flush();
      await sleep(1_000, undefined, { signal: ending });
    }
  }
  const row = await maybe<{ version: number }>(
    dataSource,
    `SELECT current_setting('server_version_num')::int AS version`,
  );
  if ((row?.version ?? 0) < OLDEST_POSTGRES) throw new Error('DATABASE_URL: Toolyard needs PostgreSQL 15 or newer.');
  await requireTimeouts(dataSource);
}

async function bringUpToDate(
  dataSource: DataSource,
  { databaseDirectUrl }: Environment,
  log: Logger,
): Promise<string[]> {
  try {
    return await migrate(dataSource, { log });
  } catch (error) {
    const reason = messageOf(error);
    const variable = databaseDirectUrl === undefined ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL';
    if (reason.startsWith(variable)) throw error;
    const problem = error instanceof NewerSchemaError ? '' : 'the migrations failed: ';
    throw new Error(`${variable}: ${problem}${reason}`, { cause: error });
  }
}

function prepareSample(sample: SampleCatalogue, { sampleCatalogue }: Environment): Promise<void> {
  if (sampleCatalogue === 'load') return sample.loadIfEmpty();
  return sampleCatalogue === 'remove' ? sample.remove() : Promise.resolve();
}

async function listen(app: NestExpressApplication, { host, port }: Environment): Promise<void> {
  try {
    await app.listen(port, host);
  } catch (error) {
    const what: Record<string, string> = {
      EADDRINUSE: `PORT ${port} is in use on ${host}. Stop the process that listens there, or set another PORT.`,
      EACCES: `PORT ${port} is reserved for root. Set PORT to a number above 1023.`,
      EADDRNOTAVAIL: `HOST ${host} is not an address of this machine. Example: 127.0.0.1`,
      ENOTFOUND: `HOST ${host} is not an address of this machine. Example: 127.0.0.1`,
    };
    const { code = '' } = error as NodeJS.ErrnoException;
    throw new Error(what[code] ?? `HOST ${host}, PORT ${port}: cannot listen there: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/** What an operator set up for traces and what has no effect. */
function sayWhetherTraced({ webhooksTraceparent }: Environment, log: Logger): void {
  const sdk = loadedSdk();
  if (sdk?.isUsed) log.info('Traces go to the OpenTelemetry SDK that was loaded.');
  else if (sdk) {
    const problem = `Its version of @opentelemetry/api is ${sdk.apiVersion}; 1.9.0 and newer versions 1 can be used.`;
    log.warn(`There are no traces: the OpenTelemetry SDK that was loaded cannot be used. ${problem}`);
  }
  if (webhooksTraceparent && !sdk?.isUsed)
    log.warn('WEBHOOKS_TRACEPARENT has no effect: no OpenTelemetry SDK was loaded, so attempts have no trace.');
}

/** Two processes on one machine have one default port; that is no reason not to start. */
async function serveMetrics(
  server: MetricsServer,
  { metricsHost, metricsPort, requiresMetrics }: Environment,
  log: Logger,
): Promise<void> {
  if (metricsPort === 0) return;
  try {
    log.info(`Metrics: ${await server.listen(metricsHost, metricsPort)}`);
  } catch (error) {
    const problem = `METRICS_PORT ${metricsPort}, METRICS_HOST ${metricsHost}: cannot listen there: ${messageOf(error)}`;
    if (requiresMetrics) throw new Error(problem, { cause: error });
    log.warn(`${problem}. There are no metrics of this process; METRICS_PORT=0 does without.`);
  }
}

/**
 * Makes sure that connections do not outlive their requests once the application closes.
 *
 * @param patience milliseconds after which the remaining requests are cut off
 * @returns what the end consists of: `announce` while requests still come in, then `close`
 */
function prepareEnd(app: NestExpressApplication, log: Logger, { run, shutdownDelay }: Environment, patience: number) {
  const server: Server = app.getHttpServer();
  const ending = app.get(Ending);
  server.keepAliveTimeout = 75_000; // longer than a load balancer's, so that it never reuses a closing socket
  const connections = new IdleConnections(server);
  const hurry = () => {
    server.closeAllConnections();
    ending.hurry();
  };
  const announce = async () => {
    ending.hasBegun = true;
    server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
    if (!run.has('api') || shutdownDelay === 0) return;
    log.info(`Not ready any more; serving for ${shutdownDelay} s until the load balancer has noticed.`);
    await Promise.race([sleep(shutdownDelay * 1_000, undefined, { ref: false }), ending.isHurried]);
  };
  const close = async () => {
    // Immediately; Nest would first wait for the deliveries in progress.
    const served = new Promise<void>((resolve) => void server.close(() => resolve()));
    server.close = (callback) => {
      void served.then(() => callback?.());
      return server;
    };
    const stopClosing = connections.keepClosing();
    const late = setTimeout(() => {
      log.warn(`Closing requests that are still unanswered after ${Math.round(patience / 1_000)} s.`);
      hurry();
    }, patience);
    try {
      await app.close();
    } finally {
      stopClosing();
      clearTimeout(late);
    }
  };
  return { announce, close, hurry };
}

/** @param address where the process listens, which may differ from its public address (PUBLIC_URL) */
function greet(
  { publicUrl, externalIssuer, run }: Environment,
  address: string,
  embedded: boolean,
  setUp: string | undefined,
  hint: string,
): void {
  const listens = `Toolyard listens at ${address}${embedded ? ' (embedded PostgreSQL)' : ''}`;
  if (!run.has('api')) {
    process.stderr.write(`\n${listens}, without the API (see RUN): it only serves /healthz and /readyz.\n\n`);
    return;
  }
  const token = externalIssuer ? `Get an access token from ${externalIssuer.issuer}.` : hint;
  const first = setUp === undefined ? `Sign in: ${publicUrl}/sign-in` : setUp;
  process.stderr.write(`\n${listens}\nAPI: ${publicUrl}/v1\nDocumentation: ${publicUrl}/docs\n${first}\n${token}\n\n`);
}

/**
 * What to do next. Passes on what this process's tokens depend on and a second terminal lacks: the database, the issuer,
 * the audience. What may be secret is named, but not printed.
 */
function tokenHint(variables: NodeJS.ProcessEnv): string {
  const valueOf = (name: string) => variables[name]?.trim() ?? '';
  const settings = ['DATA_DIR', 'HOST', 'PORT', 'PUBLIC_URL', 'OIDC_AUDIENCE', 'DATABASE_PREPARED_STATEMENTS'].flatMap(
    (name) => {
      const value = valueOf(name);
      return value === ''
        ? []
        : [`${name}=${/^[\w./:-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`} `];
    },
  );
  const names = (['DATABASE_URL', 'SECRETS_KEY', 'SECRETS_KEYS_ACCEPTED'] as const satisfies SecretVariable[]).flatMap(
    (name) => [name, `${name}_FILE`],
  );
  const secret = names.filter((name) => valueOf(name) !== '').join(' and ');
  const where = secret === '' ? 'in a second terminal' : `with the same ${secret}, in a second terminal`;
  return `A token for scripts, ${where}:  ${settings.join('')}npm run --silent token -- --email alice@example.com`;
}
